// Checks a request's #names and :values, provides them to the parsers, and reports those that no expression used.
#include "expr/placeholders.h"

#include "base/text/ascii.h"
#include "value/limits.h"

namespace keyfold::expr {
namespace {

constexpr Rule<"{} contains invalid key: Syntax error; key: \"{}\""> kPlaceholderSyntax{"placeholder-syntax",
                                                                                        Kind::kValidation};
constexpr Rule<"{} contains invalid key: The key is too long; key: \"{}\", maximum length: {}"> kPlaceholderLength{
    "placeholder-length", Kind::kValidation};
constexpr Rule<"ExpressionAttributeNames contains invalid value: Empty attribute name for key {}"> kEmptyName{
    "placeholder-empty-name", Kind::kValidation};
constexpr Rule<
    "ExpressionAttributeNames contains invalid value: Attribute name is too large, must be less than {} bytes for key "
    "{}">
    kLongName{"placeholder-long-name", Kind::kValidation};
constexpr Rule<
    "The size of ExpressionAttributeNames and ExpressionAttributeValues has exceeded the maximum allowed size; size: "
    "{}">
    kPlaceholdersTotal{"placeholders-total", Kind::kValidation};
constexpr Rule<"Value provided in {} unused in expressions: keys: {{}}"> kUnused{"placeholder-unused",
                                                                                 Kind::kValidation};

constexpr std::string_view kNames = "ExpressionAttributeNames";
constexpr std::string_view kValues = "ExpressionAttributeValues";

Status CheckPlaceholder(std::string_view parameter, char mark, std::string_view placeholder) {
  const auto is_word_byte = [](char c) { return IsLetterOrDigit(c) || c == '_'; };
  bool good = placeholder.size() > 1 && placeholder[0] == mark;
  for (size_t i = 1; good && i < placeholder.size(); ++i) good = is_word_byte(placeholder[i]);
  if (!good) return kPlaceholderSyntax(parameter, placeholder);
  if (placeholder.size() > kPlaceholderBytesMax) {
    return kPlaceholderLength(parameter, placeholder, kPlaceholderBytesMax);
  }
  return Ok();
}

template <typename Entries>
std::string ListUnused(const Entries& entries) {
  std::string keys;
  for (const auto& entry : entries) {
    if (entry.used) continue;
    if (!keys.empty()) keys += ", ";
    keys += entry.placeholder;
  }
  return keys;
}

}  // namespace

template <typename Entry>
Entry* Placeholders::Table<Entry>::Find(std::string_view placeholder) {
  constexpr size_t kFew = 32;  // for this many a linear search is cheaper than a table
  if (entries.size() <= kFew) {
    for (Entry& entry : entries) {
      if (entry.placeholder == placeholder) return &entry;
    }
    return nullptr;
  }
  if (!by_placeholder) {
    by_placeholder = std::make_unique<Places>(entries.size());
    for (size_t i = 0; i < entries.size(); ++i) by_placeholder->emplace(entries[i].placeholder, i);
  }
  const auto found = by_placeholder->find(placeholder);
  return found == by_placeholder->end() ? nullptr : &entries[found->second];
}

std::optional<std::string_view> Placeholders::UseName(std::string_view placeholder) {
  Name* const entry = names_.Find(placeholder);
  if (entry == nullptr) return std::nullopt;
  entry->used = true;
  return entry->name;
}

std::optional<Value> Placeholders::UseValue(std::string_view placeholder) {
  BoundValue* const entry = values_.Find(placeholder);
  if (entry == nullptr) return std::nullopt;
  entry->used = true;
  if (!Value::IsShared(entry->value.bytes().size())) return Value(entry->value);
  if (entry->shared == 0) {
    shared_values_.emplace_back(entry->value);
    entry->shared = shared_values_.size();
  }
  return shared_values_[entry->shared - 1];
}

Status Placeholders::Check() const {
  size_t bytes = 0;
  for (const Name& entry : names_.entries) {
    RETURN_IF_ERROR(CheckPlaceholder(kNames, '#', entry.placeholder));
    if (entry.name.empty()) return kEmptyName(entry.placeholder);
    if (entry.name.size() > kAttributeNameBytesMax) return kLongName(kAttributeNameBytesMax + 1, entry.placeholder);
    bytes += entry.placeholder.size() + entry.name.size();
  }
  for (const BoundValue& entry : values_.entries) {
    RETURN_IF_ERROR(CheckPlaceholder(kValues, ':', entry.placeholder));
    bytes += entry.placeholder.size() + ValueSize(entry.value);
  }
  if (bytes > kPlaceholdersTotalBytesMax) return kPlaceholdersTotal(bytes);
  return Ok();
}

Status Placeholders::AllUsed() const {
  if (const std::string keys = ListUnused(names_.entries); !keys.empty()) return kUnused(kNames, keys);
  if (const std::string keys = ListUnused(values_.entries); !keys.empty()) return kUnused(kValues, keys);
  return Ok();
}

}  // namespace keyfold::expr
