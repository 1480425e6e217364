#include "json/document.h"

#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <type_traits>

namespace keyfold::json {
namespace {

// Value reads simdjson's tape directly, which is not part of simdjson's interface. These assertions and tape_test.cc
// pin its layout. docs/design/json-tape.md describes what to compare before another major version is allowed here.
static_assert(simdjson::SIMDJSON_VERSION_MAJOR == 3, "compare the tape first: docs/design/json-tape.md");

using simdjson::internal::tape_type;
static_assert(static_cast<char>(tape_type::START_OBJECT) == '{' && static_cast<char>(tape_type::START_ARRAY) == '[');
static_assert(static_cast<char>(tape_type::STRING) == '"' && static_cast<char>(tape_type::NULL_VALUE) == 'n');
static_assert(static_cast<char>(tape_type::TRUE_VALUE) == 't' && static_cast<char>(tape_type::FALSE_VALUE) == 'f');
static_assert(static_cast<char>(tape_type::INT64) == 'l' && static_cast<char>(tape_type::UINT64) == 'u');
static_assert(static_cast<char>(tape_type::DOUBLE) == 'd');
static_assert(std::is_same_v<decltype(simdjson::dom::document::tape), std::unique_ptr<uint64_t[]>>);
static_assert(std::is_same_v<decltype(simdjson::dom::document::string_buf), std::unique_ptr<uint8_t[]>>);

}  // namespace

struct Parser::Buffers {
  simdjson::dom::parser parser;
};

Parser::Parser() : buffers_(std::make_unique<Buffers>()) {}
Parser::~Parser() = default;
Parser::Parser(Parser&&) noexcept = default;
Parser& Parser::operator=(Parser&&) noexcept = default;

std::optional<Value> Parser::Parse(const std::string& text) {
  static_assert(kPaddingBytes >= simdjson::SIMDJSON_PADDING);
  static_assert(Value::kPayload == simdjson::internal::JSON_VALUE_MASK);
  if (text.empty()) return std::nullopt;
  if (buffers_->parser.capacity() > kKeptBytesMax && text.size() <= kKeptBytesMax) {
    buffers_ = std::make_unique<Buffers>();
  }
  simdjson::dom::parser& parser = buffers_->parser;
  if (parser.capacity() < text.size() || parser.max_depth() != kDepthMax) {
    // Some spare capacity, so that bodies of slightly different lengths do not each allocate.
    const size_t capacity = std::max<size_t>(text.size() + text.size() / 4, 4096);
    if (parser.allocate(capacity, kDepthMax) != simdjson::SUCCESS) return std::nullopt;
  }
  const bool padded = text.capacity() - text.size() >= kPaddingBytes;
  if (parser.parse(text.data(), text.size(), !padded).error() != simdjson::SUCCESS) return std::nullopt;
  // The first word of the tape is the document itself; its value follows.
  return Value(parser.doc.tape.get(), reinterpret_cast<const char*>(parser.doc.string_buf.get()), 1);
}

std::optional<int64_t> Value::AsInt64() const {
  const uint64_t bits = tape_[index_ + 1];
  if (Tag() == 'u' && bits > static_cast<uint64_t>(INT64_MAX)) return std::nullopt;
  return static_cast<int64_t>(bits);
}

double Value::AsDouble() const {
  const uint64_t bits = tape_[index_ + 1];
  if (Tag() == 'u') return static_cast<double>(bits);
  if (Tag() == 'l') return static_cast<double>(static_cast<int64_t>(bits));
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

std::string Value::NumberText() const {
  if (Tag() == 'u') return std::to_string(tape_[index_ + 1]);
  if (Tag() == 'l') return std::to_string(static_cast<int64_t>(tape_[index_ + 1]));
  char digits[32];
  return std::string(digits, std::to_chars(digits, digits + sizeof digits, AsDouble()).ptr);
}

size_t Value::CountElements() const {
  constexpr uint32_t kSaturated = 0xFFFFFF;
  static_assert(kSaturated == simdjson::internal::JSON_COUNT_MASK);
  const uint32_t stored = static_cast<uint32_t>(tape_[index_] >> 32) & kSaturated;
  if (stored < kSaturated) return stored;
  size_t count = 0;
  if (is_array()) {
    for ([[maybe_unused]] const Value element : elements()) ++count;
  } else {
    for ([[maybe_unused]] const Member member : members()) ++count;
  }
  return count;
}

std::optional<Value> Find(Value object, std::string_view name) {
  std::optional<Value> found;
  for (const Member m : object.members()) {
    if (m.name == name) found = m.value;
  }
  return found;
}

std::optional<Value> FindAt(Value from, Path path) {
  std::optional<Value> at = from;
  for (const std::string_view name : path) at = at && at->is_object() ? Find(*at, name) : std::nullopt;
  return at;
}

std::string_view TextAt(Value from, Path path) {
  const std::optional<Value> value = FindAt(from, path);
  return value && value->is_string() ? value->AsString() : std::string_view();
}

double NumberAt(Value from, Path path) {
  const std::optional<Value> value = FindAt(from, path);
  const bool number = value && (value->type() == Type::kInteger || value->type() == Type::kDecimal);
  return number ? value->AsDouble() : 0;
}

}  // namespace keyfold::json
