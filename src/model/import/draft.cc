#include "model/import/draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "json/writer.h"
#include "model/core/unreadable.h"
#include "model/file/yaml.h"

namespace keyfold::model {
namespace {

constexpr size_t kColumnsMax = 120;

// "{a: b, c: d}" from complete entries.
std::string Flow(const std::vector<std::string>& entries, char open = '{', char close = '}') {
  return fmt::format("{}{}{}", open, fmt::join(entries, ", "), close);
}

std::string Amount(double value) {
  return value == std::floor(value) ? fmt::format("{:.0f}", value) : fmt::format("{:.1f}", value);
}

std::string SideText(const std::vector<KeyAttribute>& side) {
  if (side.size() == 1) return YamlText(side[0].name);
  std::vector<std::string> names;
  for (const KeyAttribute& each : side) names.push_back(YamlText(each.name));
  return Flow(names, '[', ']');
}

std::vector<std::string> KeyEntries(const KeyDefinition& key) {
  std::vector<std::string> entries{"pk: " + SideText(key.pk)};
  if (!key.sk.empty()) entries.push_back("sk: " + SideText(key.sk));
  return entries;
}

std::string AttributeText(const DraftAttribute& attribute) {
  if (!attribute.optional && !attribute.cardinality) return attribute.type;
  std::vector<std::string> entries{"type: " + attribute.type};
  if (attribute.optional) entries.push_back("optional: true");
  if (attribute.cardinality) entries.push_back(fmt::format("cardinality: {}", *attribute.cardinality));
  return Flow(entries);
}

// Writes one draft. Used by one thread at a time.
class DraftText {
 public:
  explicit DraftText(const Draft& draft) : draft_(draft) {}

  std::string Write() {
    Comments(0, draft_.comments);
    Line(0, "model: 1");
    WriteTable();
    WriteIndexes();
    Line(0, "entities:");
    for (const DraftEntity& entity : draft_.entities) WriteEntity(entity);
    Line(0, "patterns: {}");
    WriteAccepted();
    return std::move(out_);
  }

 private:
  void Line(size_t indent, std::string_view text) { out_.append(indent, ' ').append(text).append("\n"); }

  void Comments(size_t indent, const std::vector<std::string>& lines) {
    for (const std::string& line : lines) Line(indent, "# " + Printable(line));
  }

  // Writes `name: {…}` on one line if it fits, otherwise one line per entry.
  void Mapping(size_t indent, std::string_view name, const std::vector<std::string>& entries) {
    const std::string flow = fmt::format("{}: {}", name, Flow(entries));
    if (indent + flow.size() <= kColumnsMax) return Line(indent, flow);
    Line(indent, fmt::format("{}:", name));
    for (const std::string& entry : entries) Line(indent + 2, entry);
  }

  void WriteTable() {
    const TableDefinition& table = draft_.table;
    Line(0, "table:");
    Line(2, "name: " + YamlText(table.name));
    Line(2, "key: " + Flow(KeyEntries(table.key)));
    Line(2, "separator: " + YamlText(draft_.separator));
    if (!draft_.type_attribute.empty()) Line(2, "type_attribute: " + YamlText(draft_.type_attribute));
    if (!table.ttl.empty()) Line(2, "ttl: " + YamlText(table.ttl));
    constexpr std::string_view kStreams[] = {"none", "keys_only", "new_image", "old_image", "new_and_old_images"};
    if (table.stream != Stream::kOff) {
      Line(2, fmt::format("stream: {}", kStreams[static_cast<size_t>(table.stream)]));
    }
    std::vector<std::string> billing{table.billing == BillingMode::kOnDemand ? "mode: on_demand" : "mode: provisioned"};
    if (!draft_.region.empty()) billing.push_back("region: " + YamlText(draft_.region));
    if (table.table_class != TableClass::kStandard) billing.push_back("class: standard_ia");
    if (table.pitr) billing.push_back("pitr: true");
    Line(2, "billing: " + Flow(billing));
  }

  void WriteIndexes() {
    if (draft_.table.indexes.empty()) return;
    Line(0, "indexes:");
    for (const IndexDefinition& index : draft_.table.indexes) {
      std::vector<std::string> entries = KeyEntries(index.key);
      std::vector<std::string> included;
      for (const std::string& name : index.included) {
        if (name != draft_.type_attribute) included.push_back(YamlText(name));
      }
      if (index.project == Project::kKeys) entries.push_back("project: keys");
      if (index.project == Project::kInclude) entries.push_back("project: " + Flow(included, '[', ']'));
      if (index.local) entries.push_back("local: true");
      Mapping(2, YamlText(index.name), entries);
    }
  }

  void WriteEntity(const DraftEntity& entity) {
    Comments(2, entity.comments);
    Line(2, YamlText(entity.name) + ":");
    WriteNamed("keys", entity.keys);
    WriteNamed("when", entity.when);
    if (entity.shard) {
      Line(4, fmt::format("shard: {{n: {}, by: {}}}", entity.shard->n, YamlText(entity.shard->by)));
    }
    std::vector<std::string> attributes;
    for (const DraftAttribute& each : entity.attributes) {
      attributes.push_back(YamlText(each.name) + ": " + AttributeText(each));
    }
    if (!attributes.empty()) Mapping(4, "attributes", attributes);
    if (entity.size_avg > 0) Line(4, fmt::format("size: {{avg: {}, max: {}}}", entity.size_avg, entity.size_max));
    if (entity.count) Line(4, fmt::format("count: {}", *entity.count));
    if (entity.per) {
      Line(4, fmt::format("per: {{{}: {{avg: {}, max: {}}}}}", YamlText(entity.per->parent), Amount(entity.per->avg),
                          Amount(entity.per->max)));
    }
  }

  void WriteNamed(std::string_view field, const std::vector<std::pair<std::string, std::string>>& all) {
    std::vector<std::string> entries;
    for (const auto& [name, text] : all) entries.push_back(YamlText(name) + ": " + YamlText(text));
    if (!entries.empty()) Mapping(4, field, entries);
  }

  void WriteAccepted() {
    if (draft_.accepted.empty()) return;
    Line(0, "accept:");
    for (const DraftAccept& each : draft_.accepted) {
      std::vector<std::string> entries{"rule: " + each.rule};
      if (!each.entity.empty()) entries.push_back("entity: " + YamlText(each.entity));
      if (!each.pattern.empty()) entries.push_back("pattern: " + YamlText(each.pattern));
      if (!each.index.empty()) entries.push_back("index: " + YamlText(each.index));
      entries.push_back("reason: " + YamlText(each.reason));
      Line(2, "- " + Flow(entries));
    }
  }

  const Draft& draft_;
  std::string out_;
};

}  // namespace

namespace {

// Characters that JSON allows in a string and YAML does not, or that YAML takes for the end of a line.
struct YamlEscape {
  std::string_view character, escape;
};
constexpr YamlEscape kYamlEscapes[] = {{"\x7f", "\\x7F"},           {"\u2028", "\\u2028"}, {"\u2029", "\\u2029"},
                                       {"\xEF\xBB\xBF", "\\uFEFF"}, {"\uFFFE", "\\uFFFE"}, {"\uFFFF", "\\uFFFF"}};

// Returns how many bytes at the front form such a character, 0 if none do. Appends its escape.
size_t AppendYamlEscape(std::string_view text, std::string& out) {
  for (const YamlEscape& each : kYamlEscapes) {
    if (!text.starts_with(each.character)) continue;
    out += each.escape;
    return each.character.size();
  }
  // U+0080 to U+009F.
  if (text.size() < 2 || text[0] != '\xC2' || static_cast<uint8_t>(text[1]) > 0x9F) return 0;
  out += fmt::format("\\x{:02X}", static_cast<uint8_t>(text[1]));
  return 2;
}

std::string YamlQuoted(std::string_view text) {
  std::string json, out;
  json::AppendQuoted(json, text);
  for (std::string_view rest = json; !rest.empty();) {
    size_t taken = AppendYamlEscape(rest, out);
    if (taken == 0) out += rest[taken++];
    rest.remove_prefix(taken);
  }
  return out;
}

}  // namespace

std::string YamlText(std::string_view text) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
  const bool plain =
      !text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos && text[0] != '-' && text[0] != '.';
  if (plain) {
    const std::variant<Node, Unreadable> read = ReadYaml(text);
    const Node* node = std::get_if<Node>(&read);
    if (node != nullptr && node->kind == Node::Kind::kString) return std::string(text);
  }
  return YamlQuoted(text);
}

std::string WriteDraft(const Draft& draft) { return DraftText(draft).Write(); }

}  // namespace keyfold::model
