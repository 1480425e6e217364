#include "model/generate/program.h"

#include <algorithm>
#include <tuple>

#include "model/core/calendar.h"
#include "model/core/figures.h"
#include "model/core/sortable_id.h"
#include "model/estimate/estimate.h"
#include "model/generate/item_layout.h"
#include "model/generate/target.h"

namespace keyfold::model {
namespace {

// A character class for each position; equal neighbours are counted.
std::string IdExpression(AttributeType type) {
  std::string out;
  for (size_t i = 0; i < IdWidth(type); ++i) out += '[' + std::string(IdCharacters(type, i)) + ']';
  return out;
}

// Returns true if an entry of the index holds the key attribute, as a key of the index or of the table.
bool HoldsKey(const Model& model, const Index& index, std::string_view attribute) {
  return Contains(index.pk, attribute) || Contains(index.sk, attribute) || model.IsBaseKey(attribute);
}

// Returns true if an index entry gives the attribute: by projection, as a key, or as part of a key's text.
bool Gives(const Model& model, const Index& index, const Entity& entity, const Attribute& attribute) {
  if (HoldsKey(model, index, attribute.name) && entity.FindKey(attribute.name) != nullptr) return true;
  if (index.project == Project::kInclude && Contains(index.included, attribute.name)) return true;
  for (const KeyTemplate* key : ReadableKeys(entity)) {
    if (!HoldsKey(model, index, key->attribute)) continue;
    for (const TemplatePart& part : key->value.parts) {
      const bool same = part.kind == TemplatePart::Kind::kAttribute && part.text == attribute.name;
      if (same && Recovers(part.format)) return true;
    }
  }
  return false;
}

// The placeholders of the sort key that the request does not fix, in order.
std::vector<std::string> OpenPlaceholders(const Model& model, const KeyRead& read, const Entity& entity) {
  std::vector<std::string> open;
  for (const std::string& attribute : model.SortKey(read.index)) {
    const auto fixed = [&](const KeyPart& part) { return part.attribute == attribute; };
    if (std::any_of(read.sort.begin(), read.sort.end(), fixed)) continue;
    const KeyTemplate* key = entity.FindKey(attribute);
    size_t filled = 0;
    const bool prefixed = read.range.attribute == attribute && read.range.op != SortRange::Op::kNone;
    if (prefixed) filled = read.range.low.pieces.size() - (read.range.of.empty() ? 0 : 1);
    for (size_t i = filled; i < key->value.parts.size(); ++i) {
      const TemplatePart& part = key->value.parts[i];
      if (part.kind == TemplatePart::Kind::kAttribute) open.push_back(part.text);
    }
  }
  return open;
}

std::string KeyPartsLine(const std::vector<KeyPart>& parts) {
  std::string out;
  for (const KeyPart& part : parts) (out += out.empty() ? "" : ", ") += part.attribute + " = " + part.value.ToString();
  return out;
}

std::string ReadLine(const KeyRead& read) {
  std::string out = KeyPartsLine(read.partition);
  if (const std::string sort = KeyPartsLine(read.sort); !sort.empty()) out += ", " + sort;
  const SortRange& range = read.range;
  constexpr std::string_view kSigns[] = {"", "begins with", "between", "<", "<=", ">", ">="};
  if (range.op == SortRange::Op::kNone) return out;
  out += ", " + range.attribute + ' ' + std::string(kSigns[static_cast<size_t>(range.op)]) + ' ' + range.low.ToString();
  return range.op == SortRange::Op::kBetween ? out + " and " + range.high.ToString() : out;
}

std::string WriteLine(const Model& model, const Write& write) {
  constexpr std::string_view kVerbs[] = {"", "", "", "put", "update", "delete", "", "", "", "", "check"};
  std::string out = std::string(kVerbs[static_cast<size_t>(write.verb)]) + ' ' + model.entities[write.entity].name;
  if (write.times > 1) out += " x" + std::to_string(write.times);
  out += " (" + KeyPartsLine(write.key) + ')';
  if (const std::string update = UpdateOf(write).update; !update.empty()) out += ' ' + update;
  return write.condition.empty() ? out : out + " if " + write.condition;
}

std::string PatternEscaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("\\^$.*+?()[]{}|/").find(c) != std::string_view::npos) out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out;
}

std::string TimeExpression(std::string_view layout) {
  std::string out;
  for (size_t i = 0; i < layout.size();) {
    const size_t end = std::min(layout.find_first_not_of(layout[i], i), layout.size());
    const bool digits = std::string_view("YMDhmsf").find(layout[i]) != std::string_view::npos;
    out += digits ? "[0-9]{" + std::to_string(end - i) + '}' : PatternEscaped(layout.substr(i, end - i));
    i = end;
  }
  return out;
}

// Matches text without the separator and without the letters that the format never produces.
std::string TextExpression(std::string_view separator, std::string_view letters) {
  const bool one_byte = separator.size() == 1;
  const std::string sign = separator == "]" || separator == "^" || separator == "\\" || separator == "-"
                               ? '\\' + std::string(separator)
                               : std::string(separator);
  if (one_byte) return "[^" + sign + std::string(letters) + "]+";
  const std::string any = letters.empty() ? "[\\s\\S]" : "[^" + std::string(letters) + ']';
  return separator.empty() ? any + '+' : "(?:(?!" + PatternEscaped(separator) + ')' + any + ")+";
}

std::string PlaceholderExpression(const TemplatePart& part, std::string_view separator) {
  switch (part.alphabet) {
    case Alphabet::kText:
    case Alphabet::kBytes:
      return TextExpression(separator, "");
    case Alphabet::kLower:
      return TextExpression(separator, "A-Z");
    case Alphabet::kUpper:
      return TextExpression(separator, "a-z");
    case Alphabet::kNumber:
      return "-?[0-9]+(?:\\.[0-9]+)?";
    case Alphabet::kNatural:
    case Alphabet::kShard:
      return "[0-9]+";
    case Alphabet::kDigits:
      return "[0-9]{" + std::to_string(part.width) + '}';
    case Alphabet::kTime:
      return TimeExpression(TimeLayoutOf(part));
    case Alphabet::kId:
      return IdExpression(part.type);
    case Alphabet::kChoice:
      break;
  }
  std::string all;
  for (const std::string& value : part.values) (all += all.empty() ? "" : "|") += PatternEscaped(value);
  return all;
}

std::string CountText(double number, const std::string& unit) {
  return NumberText(number) + ' ' + unit + (number == 1 ? "" : "s");
}

// The planned cost of one call.
std::string PatternCostLine(const PatternEstimate& plan) {
  std::string out = CountText(plan.calls, "request");
  if (plan.units.read > 0) out += ", " + CountText(plan.units.read, "read unit");
  if (plan.units.write > 0) out += ", " + CountText(plan.units.write, "write unit");
  return out;
}

bool ComparesBelow(const Condition& condition, std::string_view input) {
  const std::vector<const Comparison*> all = ComparisonsOf(condition);
  return std::any_of(all.begin(), all.end(), [&](const Comparison* one) {
    const std::vector<Operand> operands = one->operands();
    return one->path != one->attribute && std::any_of(operands.begin(), operands.end(), [&](const Operand& operand) {
             return operand.kind == Operand::Kind::kInput && operand.text == input;
           });
  });
}

}  // namespace

Program::Program(const Model& model) : model(model), coverage(model) {
  const Estimate estimate(model);
  for (const PatternEstimate& pattern : estimate.patterns()) {
    if (const Access* access = pattern.access()) {
      costs.push_back(PatternCostLine(pattern));
      accesses.push_back(*access);
    } else {
      unserved.push_back(std::get<Unserved>(pattern.compiled));
    }
  }
}

std::vector<Returned> ReturnsOf(const Model& model, const Access& access, const KeyRead& read) {
  std::vector<Returned> results;
  for (const EntityId id : read.wanted) {
    const Entity& entity = model.entities[id];
    Returned& result = results.emplace_back();
    result.entity = id;
    result.whole = !read.index || model.indexes[*read.index].project == Project::kAll || access.fetches;
    for (const Attribute& attribute : entity.attributes) {
      if (result.whole || Gives(model, model.indexes[*read.index], entity, attribute))
        result.attributes.push_back(attribute.name);
    }
  }
  return results;
}

bool Program::CoversOnlyWanted(const KeyRead& read) const {
  if (read.partition.empty()) return false;
  const auto covered = coverage.Of(read);
  return std::all_of(covered.begin(), covered.end(), [&](const Coverage::Covered& one) {
    return std::find(read.wanted.begin(), read.wanted.end(), one.entity) != read.wanted.end();
  });
}

FanOut FanOutOf(const Model& model, const Access& access) {
  const Pattern& pattern = model.patterns[access.pattern];
  FanOut out;
  if (access.operation != Operation::kQuery || (access.shards == 1 && !access.buckets)) return out;
  if (pattern.merge) out.by = *pattern.merge;
  if (out.by.empty()) {
    out.merging = Merging::kInTurn;
    out.buckets_in_turn = access.buckets.has_value();
    return out;
  }
  out.merging = Merging::kSorted;
  for (const EntityId id : access.read().wanted) {
    const std::vector<std::string> open = OpenPlaceholders(model, access.read(), model.entities[id]);
    const bool starts = open.size() >= out.by.size() && std::equal(out.by.begin(), out.by.end(), open.begin());
    if (!starts || access.read().wanted.size() > 1) out.merging = Merging::kCollected;
  }
  out.buckets_in_turn = access.buckets && out.by[0] == access.buckets->attribute;
  return out;
}

bool IsOnePage(const Pattern& pattern) { return pattern.limit.has_value() && !pattern.paginate; }

bool IsBelowAttribute(const Pattern& pattern, std::string_view input) {
  return ComparesBelow(pattern.where, input) ||
         std::any_of(pattern.actions.begin(), pattern.actions.end(),
                     [&](const Action& action) { return ComparesBelow(action.condition, input); });
}

std::vector<std::string> BoundsOf(const Pattern& pattern) {
  std::vector<std::string> bounds;
  const auto add = [&](const Operand& operand) {
    if (operand.kind == Operand::Kind::kInput) bounds.push_back(operand.text);
  };
  if (pattern.between) add(pattern.between->from), add(pattern.between->to);
  if (pattern.begins) add(pattern.begins->prefix);
  return bounds;
}

bool IsBound(const Pattern& pattern, std::string_view input) { return Contains(BoundsOf(pattern), input); }

bool InputMayMiss(const Input& input) { return input.optional || input.default_after_s; }

std::vector<OwnTest> OwnTestsOf(const Model& model, const Access& access) {
  const Pattern& pattern = model.patterns[access.pattern];
  std::vector<OwnTest> tests;
  for (const std::string& name : access.untested) {
    for (const Binding& one : pattern.by) {
      if (one.attribute == name) tests.push_back({name, false, "=", {one.value}});
    }
    if (pattern.between && pattern.between->attribute == name) {
      tests.push_back({name, false, ">=", {pattern.between->from}});
      tests.push_back({name, false, "<=", {pattern.between->to}});
    }
    if (pattern.begins && pattern.begins->attribute == name)
      tests.push_back({name, false, "begins_with", {pattern.begins->prefix}});
    for (const Comparison& one : pattern.where.all) {
      const std::string_view sign = SignOf(one.comparator);
      if (one.attribute == name && !sign.empty()) tests.push_back({name, one.size, sign, one.operands()});
    }
  }
  const auto key = [](const OwnTest& one) { return std::tie(one.attribute, one.sign, one.right[0].text); };
  std::sort(tests.begin(), tests.end(), [&](const OwnTest& a, const OwnTest& b) { return key(a) < key(b); });
  const auto same = [&](const OwnTest& a, const OwnTest& b) { return key(a) == key(b) && a.right == b.right; };
  tests.erase(std::unique(tests.begin(), tests.end(), same), tests.end());
  return tests;
}

const Attribute* ExpiryOf(const Model& model, const Entity& entity) {
  return model.table.ttl.empty() ? nullptr : entity.Find(model.table.ttl);
}

std::vector<std::string> RequestLines(const Model& model, const Access& access) {
  const Pattern& pattern = model.patterns[access.pattern];
  std::string out(NameOf(access.operation));
  if (pattern.index) out += " of " + model.indexes[*pattern.index].name;
  std::vector<std::string> parts;
  for (const KeyRead& read : access.reads) {
    if (!read.partition.empty()) parts.push_back(ReadLine(read));
  }
  for (const Write& write : access.writes) parts.push_back(WriteLine(model, write));
  if (parts.size() > 1) {
    std::vector<std::string> lines{out + " of"};
    for (const std::string& part : parts) lines.push_back("- " + part);
    return lines;
  }
  if (!parts.empty()) out += ": " + parts[0];
  if (!access.filter.empty()) out += ", filter " + access.filter;
  if (!access.forward) out += ", descending";
  if (pattern.limit) out += ", limit " + std::to_string(*pattern.limit);
  return {out};
}

std::string KeyLine(const Model& model, const Entity& entity, std::optional<IndexId> index) {
  std::string out;
  for (const KeySide* side : {&model.PartitionKey(index), &model.SortKey(index)}) {
    for (const std::string& attribute : *side) {
      (out += out.empty() ? "" : ", ") += attribute + " = " + entity.FindKey(attribute)->value.text;
    }
  }
  return out;
}

std::string KeyExpression(const Template& whole) {
  std::string out;
  for (const TemplatePart& part : whole.parts) {
    out += part.IsLiteral() ? PatternEscaped(part.text) : '(' + PlaceholderExpression(part, whole.separator) + ')';
  }
  return out;
}

std::vector<const KeyTemplate*> TemplatesOf(const Model& model, const Entity& entity, std::optional<IndexId> index) {
  std::vector<const KeyTemplate*> out;
  for (const KeySide* side : {&model.PartitionKey(index), &model.SortKey(index)}) {
    for (const std::string& attribute : *side) {
      const KeyTemplate* key = entity.FindKey(attribute);
      if (key != nullptr && !key->native) out.push_back(key);
    }
  }
  return out;
}

std::vector<std::string> NameFunctions(const Program& program, Case form, Scope& scope) {
  std::vector<std::string> names;
  for (const Access& access : program.accesses)
    names.push_back(scope.Take(Cased(form, program.model.patterns[access.pattern].name)));
  return names;
}

const Input* FindInput(const std::vector<Input>& inputs, std::string_view name) {
  const auto it = std::find_if(inputs.begin(), inputs.end(), [&](const Input& one) { return one.name == name; });
  return it == inputs.end() ? nullptr : &*it;
}

std::string_view LastPart(std::string_view path) {
  const size_t slash = path.find_last_of("/\\");
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace keyfold::model
