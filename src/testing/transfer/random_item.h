// Random items of all types, for tests of formats: cases that a format could get wrong are frequent.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "value/item.h"
#include "value/number.h"

namespace keyfold::transfer {

// Used by one thread at a time. The n-th item of a seed is the same in every run.
class RandomItems {
 public:
  explicit RandomItems(uint64_t seed) : random_(seed) {}

  Item Next() {
    std::string out;
    ValueWriter writer(out);
    writer.BeginItem();
    Entries(writer, 8, 0);
    return Item(std::move(out));
  }

 private:
  void Entries(ValueWriter& writer, uint64_t count_max, int depth) {
    for (uint64_t i = random_.Below(count_max + 1); i > 0; --i) {
      writer.Name(Name());
      Value(writer, depth);
    }
    writer.EndMap();
  }

  void Value(ValueWriter& writer, int depth) {
    switch (random_.Below(depth < 5 ? 11 : 9)) {
      case 0:
      case 1:
        return writer.String(Text(20));
      case 2:
        return writer.EncodedNumber(EncodedNumber());
      case 3:
        return writer.Binary(Bytes(20));
      case 4:
        return writer.Bool(random_.OneIn(2));
      case 5:
        return writer.Null();
      case 6:
        return Set(writer, Tag::kSS, [this] { return Text(6); });
      case 7:
        return Set(writer, Tag::kNS, [this] { return EncodedNumber(); });
      case 8:
        return Set(writer, Tag::kBS, [this] { return Bytes(6); });
      case 9: {
        writer.BeginList();
        const uint32_t count = static_cast<uint32_t>(random_.Below(4));
        for (uint32_t i = 0; i < count; ++i) Value(writer, depth + 1);
        return writer.EndList(count);
      }
      default:
        writer.BeginMap();
        return Entries(writer, 3, depth + 1);
    }
  }

  template <typename Make>
  void Set(ValueWriter& writer, Tag tag, Make make) {
    std::set<std::string> distinct;
    for (uint64_t i = 1 + random_.Below(4); i > 0; --i) distinct.insert(make());
    std::vector<std::string_view> elements(distinct.begin(), distinct.end());
    (void)writer.Set(tag, elements);
  }

  // Includes Ion's keywords and signs.
  std::string Name() {
    constexpr const char* kNames[] = {"a",        "_b",   "$c",  "$10",          "$ion_1_0",  "null", "true", "nan",
                                      "it's",     "Item", "4th", "$dynamodb_SS", "two words", "a.b",  "\"",   "\\",
                                      "\xC3\xA4", "::",   "{{"};
    if (random_.OneIn(2)) return kNames[random_.Below(std::size(kNames))];
    std::string name = Text(10);
    return name.empty() ? "x" : name;
  }

  std::string Text(uint64_t characters_max) {
    constexpr const char* kCharacters[] = {"a",
                                           "b",
                                           "Z",
                                           "0",
                                           " ",
                                           "\"",
                                           "\\",
                                           "'",
                                           "'''",
                                           "/",
                                           "//",
                                           "/*",
                                           "*/",
                                           "{",
                                           "}",
                                           "{{",
                                           "}}",
                                           "[",
                                           "]",
                                           ",",
                                           ":",
                                           "\n",
                                           "\r\n",
                                           "\t",
                                           "\x01",
                                           "\x1F",
                                           "\x7F",
                                           "\xC3\xA4",
                                           "\xE2\x80\xA8",
                                           "\xF0\x9F\x98\x80",
                                           "$ion_1_0",
                                           "\\u0041"};
    std::string text;
    for (uint64_t i = random_.Below(characters_max + 1); i > 0; --i) {
      text += random_.OneIn(40) ? std::string(1, '\0') : kCharacters[random_.Below(std::size(kCharacters))];
    }
    return text;
  }

  std::string Bytes(uint64_t bytes_max) {
    std::string bytes;
    for (uint64_t i = random_.Below(bytes_max + 1); i > 0; --i) bytes.push_back(static_cast<char>(random_.Next()));
    return bytes;
  }

  std::string EncodedNumber() {
    std::string text = random_.OneIn(2) ? "-" : "";
    const uint64_t digits = 1 + random_.Below(random_.OneIn(3) ? 38 : 6);
    for (uint64_t i = 0; i < digits; ++i) {
      text.push_back(static_cast<char>('0' + (random_.OneIn(3) ? 0 : random_.Below(10))));
    }
    const bool far = random_.OneIn(4);
    text += "e" + std::to_string(static_cast<int>(random_.Below(far ? 180 : 12)) - (far ? 100 : 8));
    std::string encoded;
    Result<Number> number = Number::Parse(text);
    (number.ok() ? *number : Number()).EncodeTo(encoded);
    return encoded;
  }

  Random random_;
};

}  // namespace keyfold::transfer
