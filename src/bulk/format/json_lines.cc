#include "bulk/format/json_lines.h"

#include <algorithm>
#include <charconv>

#include "json/document.h"
#include "wire/attribute_value.h"

namespace keyfold {
namespace {

constexpr Rule<"The line is no JSON text"> kNotJson{"json-line-malformed", Kind::kValidation};
constexpr Rule<"A line of DynamoDB JSON must be an object with one member, Item"> kNotAnItem{"json-line-not-an-item",
                                                                                           Kind::kValidation};

bool IsBlank(std::string_view line) {
  return std::all_of(line.begin(), line.end(), [](char c) { return c == ' ' || c == '\t' || c == '\r'; });
}

// {"Item":{…}}
void ReadWrapper(json::Value json, RecordParser::OnItem on_item, RecordParser::OnFault on_fault) {
  if (!json.is_object() || json.CountElements() != 1) return on_fault(kNotAnItem());
  const json::Member member = *json.members().begin();
  if (member.name != "Item" || !member.value.is_object()) return on_fault(kNotAnItem());
  Supplied<Item> item;
  Status status = DecodeItem(member.value, Place::kMember, item);
  if (status.ok()) status = item.Check();
  status.ok() ? on_item(item->view()) : on_fault(std::move(status).TakeError());
}

void AppendImage(std::string& out, std::string_view name, ItemView image) {
  out.append(",\"").append(name).append("\":");
  AppendJson(out, image);
}

}  // namespace

void AppendJsonItemLine(std::string& out, ItemView item) {
  out.append("{\"Item\":");
  AppendJson(out, item);
  out.append("}\n");
}

void AppendJsonChangeLine(std::string& out, const ChangeLine& change) {
  char digits[24];
  char* const end = std::to_chars(digits, digits + sizeof digits, change.written).ptr;
  out.append("{\"Metadata\":{\"WriteTimestampMicros\":{\"N\":\"").append(digits, end).append("\"}}");
  AppendImage(out, "Keys", change.keys);
  if (change.before) AppendImage(out, "OldImage", *change.before);
  if (change.after) AppendImage(out, "NewImage", *change.after);
  out.append("}\n");
}

void ParseJsonLines(std::string_view block, RecordParser::OnItem on_item, RecordParser::OnFault on_fault) {
  json::Parser parser;
  std::string line;  // with the padding that lets it be parsed in place
  while (!block.empty()) {
    const std::string_view record = block.substr(0, block.find('\n'));
    block.remove_prefix(std::min(record.size() + 1, block.size()));
    if (IsBlank(record)) continue;
    line.reserve(record.size() + json::Parser::kPaddingBytes);
    line.assign(record);
    const std::optional<json::Value> json = parser.Parse(line);
    if (!json.has_value()) {
      on_fault(kNotJson());
    } else if (json->is_array()) {
      for (const json::Value element : json->elements()) ReadWrapper(element, on_item, on_fault);
    } else {
      ReadWrapper(*json, on_item, on_fault);
    }
  }
}

}  // namespace keyfold
