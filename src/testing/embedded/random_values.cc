#include "testing/embedded/random_values.h"

#include <algorithm>
#include <iterator>

#include "base/text/base64.h"
#include "json/writer.h"

namespace keyfold::embedded {
namespace {

using namespace std::string_view_literals;

// Empty, prefixes of each other, characters of two and three bytes, a zero byte in the middle.
constexpr std::string_view kStrings[] = {""sv,   "a"sv, "ab"sv,   "abc"sv, "b"sv,
                                         "ba"sv, "é"sv, "日本"sv, "zz"sv,  "a\0b"sv};
// At the limits of range and precision, and in non-canonical forms.
constexpr std::string_view kNumbers[] = {
    "0",   "1",    "-1",      "2",        "3",
    "10",  "1.50", "-1.5",    "100",      "1e10",
    "0.1", "42",   "-1E-130", "9.9E+125", "12345678901234567890123456789012345678"};
constexpr std::string_view kBinaries[] = {""sv, "\0"sv, "\0\0"sv, "\xff"sv, "ab"sv, "\0\xff"sv, "\xff\0"sv, "abc"sv};

constexpr RandomValues::Plain kPlain[] = {{"s", Type::kS},    {"n", Type::kN},   {"b", Type::kB}, {"ss", Type::kSS},
                                          {"ns", Type::kNS},  {"bs", Type::kBS}, {"m", Type::kM}, {"l", Type::kL},
                                          {"z", Type::kNull}, {"t", Type::kBool}};

template <typename Pool>
std::string_view Pick(RandomValues& values, const Pool& pool) {
  return pool[values.Below(std::size(pool))];
}

std::string Quoted(std::string_view text) {
  std::string out;
  json::AppendQuoted(out, text);
  return out;
}

std::string Typed(Type type, std::string_view json) {
  return std::string("{\"").append(NameOf(type)).append("\":").append(json).append("}");
}

std::string BinaryText(std::string_view bytes) {
  std::string out;
  AppendBase64(out, bytes);
  return Quoted(out);
}

}  // namespace

bool HasLargeItems(const engine::Table& table) { return table.name == "large"; }

KeyPools PoolsOf(const engine::Table& table) {
  return HasLargeItems(table) ? KeyPools{.partition = 3, .sort = 8, .index = 3} : KeyPools{};
}

std::string TextOf(const AttributeTexts& item) {
  std::string out = "{";
  for (const auto& [name, value] : item) {
    if (out.size() > 1) out += ',';
    out += Quoted(name) + ':' + value;
  }
  return out + '}';
}

std::string RandomValues::Scalar(Type type) {
  if (type == Type::kS) return Quoted(Pick(*this, kStrings));
  if (type == Type::kN) return Quoted(Pick(*this, kNumbers));
  return BinaryText(Pick(*this, kBinaries));
}

std::string RandomValues::Set(Type type) {
  const Type of = type == Type::kSS ? Type::kS : (type == Type::kNS ? Type::kN : Type::kB);
  std::vector<std::string> elements;
  for (size_t left = 1 + Below(4); left > 0; --left) {
    std::string element = Scalar(of);
    if (std::find(elements.begin(), elements.end(), element) == elements.end()) elements.push_back(std::move(element));
  }
  std::string out = "[";
  for (const std::string& element : elements) out += (out.size() > 1 ? "," : "") + element;
  return out + ']';
}

std::string RandomValues::List(int depth) {
  std::string out = "[";
  for (size_t left = Below(4); left > 0; --left) out += (out.size() > 1 ? "," : "") + Any(depth - 1);
  return out + ']';
}

std::string RandomValues::Map(int depth) {
  AttributeTexts entries;
  if (OneIn(2)) entries.emplace_back("x", Any(depth - 1));
  if (OneIn(2)) entries.emplace_back("y", Of(Type::kN));
  if (OneIn(4)) entries.emplace_back("m", Any(depth - 1));
  return TextOf(entries);
}

std::string RandomValues::Of(Type type, int depth) {
  switch (type) {
    case Type::kS:
    case Type::kN:
    case Type::kB:
      return Typed(type, Scalar(type));
    case Type::kSS:
    case Type::kNS:
    case Type::kBS:
      return Typed(type, Set(type));
    case Type::kM:
      return Typed(type, depth > 0 ? Map(depth) : "{}");
    case Type::kL:
      return Typed(type, depth > 0 ? List(depth) : "[]");
    case Type::kNull:
      return Typed(type, "true");
    case Type::kBool:
      return Typed(type, OneIn(2) ? "true" : "false");
  }
  return {};
}

std::string RandomValues::Any(int depth) { return Of(static_cast<Type>(Below(10)), depth); }

Type RandomValues::KeyType() { return static_cast<Type>(Below(3)); }

std::string RandomValues::KeyValue(Type type, size_t pool) {
  const size_t i = Below(pool);
  if (type == Type::kS) return Typed(type, Quoted(i % 7 == 0 ? std::string(i / 7 + 1, 'k') : "k" + std::to_string(i)));
  if (type == Type::kN) {
    const std::string whole = std::to_string(static_cast<int64_t>(i) - static_cast<int64_t>(pool / 2));
    return Typed(type, Quoted(i % 5 == 0 ? whole + ".25" : (i % 5 == 1 ? whole + "E+20" : whole)));
  }
  std::string bytes(i / 3 + 1, static_cast<char>(i % 3 == 0 ? 0 : (i % 3 == 1 ? 0xff : 'b')));
  return Typed(type, BinaryText(bytes));
}

RandomValues::Plain RandomValues::PlainAttribute() { return kPlain[Below(std::size(kPlain))]; }

AttributeTexts RandomValues::Key(const engine::Table& table) {
  const KeyPools pools = PoolsOf(table);
  AttributeTexts key;
  for (const KeyAttribute& part : table.key.partition)
    key.emplace_back(part.name, KeyValue(part.type, pools.partition));
  for (const KeyAttribute& part : table.key.sort) key.emplace_back(part.name, KeyValue(part.type, pools.sort));
  return key;
}

std::string RandomValues::IndexKeyValue(const engine::Table& table, const KeyAttribute& part) {
  return KeyValue(part.type, PoolsOf(table).index);
}

std::string RandomValues::LargeText() {
  std::string block;
  for (size_t i = 0; i < 509; ++i) block.push_back(static_cast<char>('a' + Below(26)));
  const size_t bytes = Below(OneIn(8) ? 420'000 : 200'000);
  std::string text;
  text.reserve(bytes + block.size());
  while (text.size() < bytes) text += block;
  return text;
}

AttributeTexts RandomValues::NewItem(const engine::Table& table) {
  AttributeTexts item = Key(table);
  for (const KeyAttribute& part : table.attributes) {
    if (table.key.Names(part.name) || OneIn(4)) continue;
    item.emplace_back(part.name, OneIn(100) ? Any() : IndexKeyValue(table, part));
  }
  // Values for an index that is added later; some of them will not fit.
  for (const std::string_view name : kIndexAttributes) {
    if (!table.TypeOf(name) && OneIn(3)) item.emplace_back(name, KeyValue(KeyType(), PoolsOf(table).index));
  }
  for (const Plain& plain : kPlain) {
    if (OneIn(3)) item.emplace_back(plain.name, OneIn(10) ? Any() : Of(plain.type));
  }
  if (OneIn(5)) item.emplace_back("any", Any());
  if (OneIn(HasLargeItems(table) ? 4 : 2000)) item.emplace_back("text", Typed(Type::kS, Quoted(LargeText())));
  return item;
}

}  // namespace keyfold::embedded
