#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "base/text/base64.h"
#include "value/number.h"
#include "wire/attribute_value.h"

namespace keyfold::wire {
namespace {

// The simple printer that the fast one must agree with: byte by byte, through the views.
std::string Quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    constexpr std::string_view kShort = "\"\\\b\f\n\r\t", kLetters = "\"\\bfnrt";
    constexpr std::string_view kDigits = "0123456789abcdef";
    if (const size_t at = kShort.find(c); at != kShort.npos) {
      out.append({'\\', kLetters[at]});
    } else if (static_cast<uint8_t>(c) < 0x20) {
      out.append({'\\', 'u', '0', '0', kDigits[static_cast<uint8_t>(c) >> 4], kDigits[c & 15]});
    } else {
      out.push_back(c);
    }
  }
  return out + "\"";
}

std::string Base64(std::string_view bytes) {
  std::string out;
  AppendBase64(out, bytes);
  return out;
}

std::string Plainly(ValueView value);

std::string Plainly(MapRange entries) {
  std::string out = "{";
  for (const Entry e : entries) out += (out.size() > 1 ? "," : "") + Quoted(e.name) + ":" + Plainly(e.value);
  return out + "}";
}

std::string Plainly(ValueView value) {
  const auto array = [](const auto& range, const auto& print) {
    std::string out = "[";
    for (const auto element : range) out += (out.size() > 1 ? "," : "") + print(element);
    return out + "]";
  };
  const auto number = [](std::string_view encoded) { return Quoted(Number::Decode(encoded).ToString()); };
  const auto binary = [](std::string_view bytes) { return Quoted(Base64(bytes)); };
  std::string out;
  switch (value.tag()) {
    case Tag::kS:
      out = Quoted(value.AsText());
      break;
    case Tag::kN:
      out = number(value.AsEncodedNumber());
      break;
    case Tag::kB:
      out = binary(value.AsText());
      break;
    case Tag::kSS:
      out = array(value.elements(), Quoted);
      break;
    case Tag::kNS:
      out = array(value.elements(), number);
      break;
    case Tag::kBS:
      out = array(value.elements(), binary);
      break;
    case Tag::kM:
      out = Plainly(value.entries());
      break;
    case Tag::kL:
      out = array(value.values(), [](ValueView v) { return Plainly(v); });
      break;
    default:
      out = value.tag() == Tag::kFalse ? "false" : "true";
  }
  return "{\"" + std::string(NameOf(value.type())) + "\":" + out + "}";
}

// Writes random values in the item form. Used by one thread at a time.
class RandomWriter {
 public:
  RandomWriter(Random& random, std::string& out) : random_(random), writer_(out) {}

  void Entries(size_t depth) {
    for (uint64_t n = random_.Below(depth == 0 ? 20 : 5); n > 0; --n) {
      writer_.Name(Text());
      Value(depth + 1);
    }
    writer_.EndMap();
  }
  void Item() {
    writer_.BeginItem();
    Entries(0);
  }
  void Value(size_t depth) {
    switch (random_.Below(depth < 8 ? 9 : 7)) {
      case 0:
        return writer_.Binary(Text());
      case 1:
      case 2:
        return writer_.String(Text());
      case 3:
        return writer_.EncodedNumber(EncodedNumber());
      case 4:
        return writer_.Bool(random_.OneIn(2));
      case 5:
        return writer_.Null();
      case 6:
        return Set();
      case 7:
        writer_.BeginMap();
        return Entries(depth);
      default:
        List(depth);
    }
  }

 private:
  std::string Text() {
    // Lengths around those of machine words and blocks, sometimes long; sometimes full of characters that need escapes.
    const uint64_t length = random_.OneIn(30) ? random_.Below(5000) : random_.Below(40);
    const uint64_t plain = random_.OneIn(4) ? 2 : 200;
    std::string text;
    for (uint64_t i = 0; i < length; ++i) {
      text.push_back(static_cast<char>(random_.OneIn(plain) ? random_.Below(128) : 'a' + random_.Below(26)));
    }
    return text;
  }
  std::string EncodedNumber() {
    std::string text = random_.OneIn(2) ? "-" : "";
    text += std::to_string(1 + random_.Below(1'000'000));
    if (random_.OneIn(2)) text += "E" + std::to_string(static_cast<int>(random_.Below(230)) - 120);
    std::string encoded;
    Number::Parse(random_.OneIn(10) ? "0" : text)->EncodeTo(encoded);
    return encoded;
  }
  void Set() {
    const Tag tag = random_.OneIn(3) ? Tag::kSS : random_.OneIn(2) ? Tag::kNS : Tag::kBS;
    std::vector<std::string> content;
    for (uint64_t n = 1 + random_.Below(6); n > 0; --n) content.push_back(tag == Tag::kNS ? EncodedNumber() : Text());
    std::sort(content.begin(), content.end());
    content.erase(std::unique(content.begin(), content.end()), content.end());
    std::vector<std::string_view> elements(content.begin(), content.end());
    ASSERT_TRUE(writer_.Set(tag, elements));
  }
  void List(size_t depth) {
    writer_.BeginList();
    const uint64_t count = random_.OneIn(20) ? random_.Below(500) : random_.Below(5);
    for (uint64_t i = 0; i < count; ++i) count > 5 ? writer_.Null() : Value(depth + 1);
    writer_.EndList(static_cast<uint32_t>(count));
  }

  Random& random_;
  ValueWriter writer_;
};

TEST(AttributePrinter, PrintsAsThePlainPrinterDoes) {
  Random random(11);
  for (int round = 0; round < 3000; ++round) {
    std::string item, value;
    RandomWriter(random, item).Item();
    RandomWriter(random, value).Value(0);
    ASSERT_TRUE(IsWellFormedItem(item) && IsWellFormedValue(value)) << round;
    // Appended to other text, with any spare capacity of the string.
    std::string out = "before";
    out.reserve(random.Below(2000));
    AppendJson(out, ItemView(item));
    AppendJson(out, ValueView(value));
    ASSERT_EQ(out, "before" + Plainly(ItemView(item).entries()) + Plainly(ValueView(value))) << round;
  }
}

std::string Nested(size_t depth, bool map) {
  std::string bytes;
  ValueWriter writer(bytes);
  for (size_t i = 0; i < depth; ++i) {
    map ? writer.BeginMap() : writer.BeginList();
    if (map) writer.Name("");
  }
  writer.Null();
  for (size_t i = 0; i < depth; ++i) map ? writer.EndMap() : writer.EndList(1);
  return bytes;
}

// If only brackets are printed, no text reserves room.
TEST(AttributePrinter, BracketsHaveRoom) {
  for (size_t depth = 0; depth < 40; ++depth) {
    for (const bool map : {false, true}) {
      const std::string bytes = Nested(depth, map);
      std::string out;
      AppendJson(out, ValueView(bytes));
      EXPECT_EQ(out, Plainly(ValueView(bytes))) << depth;
    }
  }
}

TEST(AttributePrinter, LongestNumbers) {
  for (const std::string_view text : {"1E125", "-9.9999999999999999999999999999999999999E125", "1E-130",
                                      "-1.2345678901234567890123456789012345678E-92", "0"}) {
    std::string encoded, bytes, out;
    Number::Parse(text)->EncodeTo(encoded);
    ValueWriter(bytes).EncodedNumber(encoded);
    AppendJson(out, ValueView(bytes));
    EXPECT_EQ(out, Plainly(ValueView(bytes))) << text;
  }
}

}  // namespace
}  // namespace keyfold::wire
