#include "transfer/format/json_lines.h"

#include <algorithm>
#include <charconv>

#include "json/document.h"
#include "wire/attribute_value.h"

namespace keyfold::transfer {
namespace {

constexpr Rule<"The line is not valid JSON"> kNotJson{"json-line-malformed", Kind::kValidation};
constexpr Rule<"A line of DynamoDB JSON must be an object with one member, Item"> kNotAJsonItem{"json-line-not-an-item",
                                                                                                Kind::kValidation};

constexpr Rule<
    "The line of a change must be an object with the members Metadata (with a WriteTimestampMicros) and Keys, "
    "and optionally OldImage and NewImage">
    kNotAJsonChange{"json-line-not-a-change", Kind::kValidation};

bool IsBlank(std::string_view line) {
  return std::all_of(line.begin(), line.end(), [](char c) { return c == ' ' || c == '\t' || c == '\r'; });
}

// {"Item":{…}}
void ReadWrapper(json::Value json, RecordParser::OnItem on_item, RecordParser::OnFault on_fault) {
  if (!json.is_object() || json.CountElements() != 1) return on_fault(kNotAJsonItem());
  const json::Member member = *json.members().begin();
  if (member.name != "Item" || !member.value.is_object()) return on_fault(kNotAJsonItem());
  wire::Supplied<Item> item;
  Status status = wire::DecodeItem(member.value, wire::Place::kMember, item);
  if (status.ok()) status = item.Check();
  status.ok() ? on_item(item->view()) : on_fault(std::move(status).TakeError());
}

// Reads {"WriteTimestampMicros":{"N":"1767225600000001"}}, or the number or its digits without a type.
std::optional<Micros> JsonWriteTime(json::Value metadata) {
  if (!metadata.is_object()) return std::nullopt;
  std::optional<json::Value> time = json::Find(metadata, "WriteTimestampMicros");
  if (time && time->is_object()) time = json::Find(*time, "N");
  if (!time) return std::nullopt;
  if (time->type() == json::Type::kInteger) return time->AsInt64();
  if (!time->is_string()) return std::nullopt;
  const std::string_view digits = time->AsString();
  Micros micros = 0;
  const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), micros);
  if (fault != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return micros;
}

// Reads an image, if the change has one of that name. An image that is not an object is a fault.
Status ReadImage(json::Value change, std::string_view name, std::optional<Item>& image) {
  const std::optional<json::Value> json = json::Find(change, name);
  if (!json) return Ok();
  if (!json->is_object()) return kNotAJsonChange();
  wire::Supplied<Item> supplied;
  RETURN_IF_ERROR(wire::DecodeItem(*json, wire::Place::kMember, supplied));
  RETURN_IF_ERROR(supplied.Check());
  image = *std::move(supplied);
  return Ok();
}

Status ReadChange(json::Value json, RecordParser::OnChange on_change) {
  if (!json.is_object()) return kNotAJsonChange();
  const std::optional<json::Value> metadata = json::Find(json, "Metadata");
  const std::optional<Micros> written = metadata ? JsonWriteTime(*metadata) : std::nullopt;
  if (!written) return kNotAJsonChange();
  std::optional<Item> keys, before, after;
  RETURN_IF_ERROR(ReadImage(json, "Keys", keys));
  RETURN_IF_ERROR(ReadImage(json, "OldImage", before));
  RETURN_IF_ERROR(ReadImage(json, "NewImage", after));
  if (!keys) return kNotAJsonChange();
  on_change({.written = *written, .keys = *keys, .before = before, .after = after});
  return Ok();
}

// Returns where the object at the start of `text` ends; npos if it does not end.
size_t ObjectEnd(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      i += c == '\\';
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth <= 0) {
      return i + 1;
    }
  }
  return std::string_view::npos;
}

// Reads lines with one parser and reuses its buffers. Used by one thread at a time.
class LineReader {
 public:
  using Read = FunctionRef<void(json::Value object)>;
  LineReader(Read read, RecordParser::OnFault on_fault) : read_(read), on_fault_(on_fault) {}

  void ReadLine(std::string_view line) {
    if (IsBlank(line)) return;
    const std::optional<json::Value> json = Parse(line);
    if (!json.has_value()) return ReadRow(line);
    if (!json->is_array()) return read_(*json);
    for (const json::Value element : json->elements()) read_(element);
  }

 private:
  // {…}{…}{…}
  void ReadRow(std::string_view line) {
    for (size_t end = ObjectEnd(line); end < line.size(); end = ObjectEnd(line)) {
      const std::optional<json::Value> object = Parse(line.substr(0, end));
      if (!object.has_value()) break;
      read_(*object);
      line.remove_prefix(end);
      if (IsBlank(line)) return;
    }
    const std::optional<json::Value> last = Parse(line);
    last.has_value() && last->is_object() ? read_(*last) : on_fault_(kNotJson());
  }

  std::optional<json::Value> Parse(std::string_view text) {
    padded_.reserve(text.size() + json::Parser::kPaddingBytes);
    padded_.assign(text);
    return parser_.Parse(padded_);
  }

  const Read read_;
  const RecordParser::OnFault on_fault_;
  json::Parser parser_;
  std::string padded_;  // with spare capacity, so that it is parsed in place
};

void ParseLines(std::string_view block, LineReader::Read read, RecordParser::OnFault on_fault) {
  LineReader reader(read, on_fault);
  while (!block.empty()) {
    const std::string_view line = block.substr(0, block.find('\n'));
    block.remove_prefix(std::min(line.size() + 1, block.size()));
    reader.ReadLine(line);
  }
}

void AppendImage(std::string& out, std::string_view name, ItemView image) {
  out.append(",\"").append(name).append("\":");
  wire::AppendJson(out, image);
}

}  // namespace

void AppendJsonItemLine(std::string& out, ItemView item) {
  out.append("{\"Item\":");
  wire::AppendJson(out, item);
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
  ParseLines(
      block, [&](json::Value json) { ReadWrapper(json, on_item, on_fault); }, on_fault);
}

void ParseJsonChanges(std::string_view block, RecordParser::OnChange on_change, RecordParser::OnFault on_fault) {
  const auto read = [&](json::Value json) {
    if (Status status = ReadChange(json, on_change); !status.ok()) on_fault(std::move(status).TakeError());
  };
  ParseLines(block, read, on_fault);
}

}  // namespace keyfold::transfer
