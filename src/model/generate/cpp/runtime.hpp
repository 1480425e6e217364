// The runtime of generated C++ headers. A header has everything below `@top`, and of the snippets only those that it uses,
// in this order, so each comes after those it uses (model/generate/runtime.h). The lines above `@top` stand for what the
// header itself declares.
#pragma once

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

inline constexpr char kSeparator[] = "#";

// @top
// A call of DynamoDB's API: the operation of X-Amz-Target, and the body.
struct Request {
  std::string operation;
  std::string body;
  // For nextCursor: the pattern that is read in pages, which of its requests this is, from 0, and how many there are.
  std::string pattern = {};
  std::string part = {};
  std::size_t place = 0;
  std::size_t places = 1;
};

// A cursor is malformed, or was returned by another pattern.
struct InvalidCursor : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

// The same query or scan from where a page ended; `last_evaluated_key` is that member of the response, as JSON.
inline Request nextPage(Request request, const std::string& last_evaluated_key) {
  request.body.pop_back();
  request.body += ",\"ExclusiveStartKey\":" + last_evaluated_key + '}';
  return request;
}

// A number as its digits, so that no digit is lost.
struct Number {
  std::string text = "0";

  Number() = default;
  Number(const char* digits) : text(digits) {}
  Number(std::string digits) : text(std::move(digits)) {}
  template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
  Number(T value) : text(std::to_string(value)) {}
  Number(double value) {
    char digits[64];
    std::snprintf(digits, sizeof digits, "%.17g", value);
    for (int precision = 1; precision < 17; ++precision) {
      char shorter[64];
      std::snprintf(shorter, sizeof shorter, "%.*g", precision, value);
      if (std::strtod(shorter, nullptr) == value) {
        text = shorter;
        return;
      }
    }
    text = digits;
  }
};

// A value in the API's JSON: {"L":[...]}, {"M":{...}}, {"N":"1"}.
struct Json {
  std::string text;
};

// @snippet quoted
// A quoted JSON string.
inline std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    char escape[8];
    std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      out += escape;
    } else {
      out += c;
    }
  }
  return out + '"';
}

// @snippet object
using Members = std::vector<std::pair<std::string, std::string>>;

// A JSON object; members without a value are left out.
inline std::string object(const Members& members) {
  std::string out;
  for (const auto& [name, value] : members) {
    if (!value.empty()) out += (out.empty() ? "" : ",") + quoted(name) + ':' + value;
  }
  return '{' + out + '}';
}

// @snippet array
inline std::string array(const std::vector<std::string>& values) {
  std::string out;
  for (const std::string& value : values) out += (out.empty() ? "" : ",") + value;
  return '[' + out + ']';
}

// @snippet stringValue
inline std::string stringValue(const std::string& text) { return "{\"S\":" + quoted(text) + '}'; }
// A value compared inside an attribute has no declared type, so it is passed as the API's JSON.
inline std::string stringValue(const Json& value) { return value.text; }

// @snippet numberValue
inline std::string numberValue(const Number& number) { return "{\"N\":" + quoted(number.text) + '}'; }

// @snippet boolValue
inline std::string boolValue(bool value) { return value ? "{\"BOOL\":true}" : "{\"BOOL\":false}"; }

// @snippet base64
inline std::string base64(const std::string& bytes) {
  constexpr char kDigits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+"
      "/";
  std::string out;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (size_t k = 0; k < 3; ++k)
      bits = bits << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (size_t k = 0; k < 4; ++k) out += k > bytes.size() - i ? '=' : kDigits[bits >> (18 - 6 * k) & 63];
  }
  return out;
}

// @snippet binaryValue
inline std::string binaryValue(const std::string& bytes) { return "{\"B\":\"" + base64(bytes) + "\"}"; }

// @snippet setValue
// A set of strings or bytes, or of numbers. Empty if the set is, as no item can have an empty set.
inline std::string setValue(std::string_view type, const std::set<std::string>& values) {
  std::vector<std::string> all;
  for (const std::string& one : values) all.push_back(type == "BS" ? '"' + base64(one) + '"' : quoted(one));
  return all.empty() ? "" : object({{std::string(type), array(all)}});
}
inline std::string setValue(std::string_view type, const std::vector<Number>& values) {
  std::vector<std::string> all;
  for (const Number& one : values) all.push_back(quoted(one.text));
  return all.empty() ? "" : object({{std::string(type), array(all)}});
}

// @snippet base64url
// Text that can be part of a URL.
inline std::string base64url(const std::string& bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string out;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (size_t k = 0; k < 3; ++k)
      bits = bits << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (size_t k = 0; k < 4 && k <= bytes.size() - i; ++k) out += kDigits[bits >> (18 - 6 * k) & 63];
  }
  return out;
}

// @snippet fromBase64url
inline std::string fromBase64url(const std::string& text) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string out;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) throw InvalidCursor("the cursor is malformed");
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out += static_cast<char>(bits >> count & 255);
  }
  return out;
}

// @snippet KeyTypes
// The attributes of a key, each with its type in the API.
using KeyTypes = std::vector<std::pair<std::string, std::string>>;

// @snippet CursorReader
// Reads the JSON of a cursor or a key, and refuses everything else.
class CursorReader {
 public:
  explicit CursorReader(std::string text) : text_(std::move(text)) {}

  bool next(char c) {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!next(c)) refuse();
  }
  void end() const {
    if (at_ != text_.size()) refuse();
  }

  std::string string() {
    expect('"');
    std::string out;
    for (;;) {
      const char c = take();
      if (c == '"') return out;
      if (static_cast<unsigned char>(c) < 0x20) refuse();
      if (c == '\\') {
        escape(out);
      } else {
        out += c;
      }
    }
  }

  // Returns the key in JSON, with exactly the attributes of `types`.
  std::string key(const KeyTypes& types) {
    std::map<std::string, std::pair<std::string, std::string>> found;
    expect('{');
    do {
      const std::string name = string();
      expect(':');
      expect('{');
      const std::string type = string();
      expect(':');
      found[name] = {type, string()};
      expect('}');
    } while (next(','));
    expect('}');
    if (found.size() != types.size()) refuse();
    Members key;
    for (const auto& [name, type] : types) {
      const auto it = found.find(name);
      if (it == found.end() || it->second.first != type) refuse();
      key.emplace_back(name, object({{type, quoted(it->second.second)}}));
    }
    return object(key);
  }

 private:
  [[noreturn]] static void refuse() { throw InvalidCursor("the cursor is malformed"); }

  char take() {
    if (at_ == text_.size()) refuse();
    return text_[at_++];
  }
  std::uint32_t unit() {
    std::uint32_t code = 0;
    for (int i = 0; i < 4; ++i) {
      const char c = take();
      const std::string_view digits = "0123456789abcdef";
      const size_t digit = digits.find(c >= 'A' && c <= 'F' ? static_cast<char>(c + 32) : c);
      if (digit == std::string_view::npos) refuse();
      code = code << 4 | static_cast<std::uint32_t>(digit);
    }
    return code;
  }
  void escape(std::string& out) {
    constexpr std::string_view kFrom = "\"\\/bfnrt";
    constexpr std::string_view kTo = "\"\\/\b\f\n\r\t";
    const char c = take();
    if (const size_t at = kFrom.find(c); at != std::string_view::npos) {
      out += kTo[at];
      return;
    }
    if (c != 'u') refuse();
    std::uint32_t code = unit();
    if (code >= 0xD800 && code < 0xDC00) {
      if (take() != '\\' || take() != 'u') refuse();
      const std::uint32_t low = unit();
      if (low < 0xDC00 || low > 0xDFFF) refuse();
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    const int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    constexpr std::uint32_t kLead[] = {0, 0xC0, 0xE0, 0xF0};
    out += static_cast<char>(kLead[more] | code >> (6 * more));
    for (int i = more - 1; i >= 0; --i) out += static_cast<char>(0x80 | (code >> (6 * i) & 63));
  }

  std::string text_;
  size_t at_ = 0;
};

// @snippet Positions
// Where the requests of a pattern that is read in pages go on. A cursor has the name of the first request that is not
// read to its end, and from there on for each 0 (at its start), 1 (read to its end) or the key after which it goes on.
class Positions {
 public:
  Positions(const std::string& cursor, const std::string& pattern, const KeyTypes& types) : given_(!cursor.empty()) {
    if (!given_) return;
    CursorReader reader(fromBase64url(cursor));
    reader.expect('[');
    reader.expect('1');
    reader.expect(',');
    const std::string of = reader.string();
    if (of != pattern) throw InvalidCursor("the cursor is of " + of + ", not of " + pattern);
    reader.expect(',');
    first_ = reader.string();
    reader.expect(',');
    reader.expect('[');
    do {
      positions_.push_back(reader.next('0') ? "0" : reader.next('1') ? "1" : reader.key(types));
    } while (reader.next(','));
    reader.expect(']');
    reader.expect(']');
    reader.end();
  }

  size_t place() const { return count_ - 1; }

  // Called once for each request, in order: the key after which it goes on, empty at its start; nothing if it is read to
  // its end.
  std::optional<std::string> of(const std::string& part) {
    ++count_;
    if (given_ && !found_ && part != first_) return std::nullopt;
    found_ = true;
    if (next_ == positions_.size()) return std::string();
    const std::string& position = positions_[next_++];
    if (position == "1") return std::nullopt;
    return position == "0" ? std::string() : position;
  }
  // Called after the last request: notes in each how many there are.
  void end(std::vector<Request>& requests) const {
    end();
    for (Request& one : requests) one.places = count_;
  }
  void end() const {
    if (given_ && (!found_ || next_ < positions_.size())) throw InvalidCursor("the cursor is of a read with other inputs");
  }

 private:
  bool given_;
  bool found_ = false;
  std::string first_;
  std::vector<std::string> positions_;
  size_t next_ = 0;
  size_t count_ = 0;
};

// @snippet startOf
// The key after which a single request goes on; empty if it starts at its start.
inline std::string startOf(const std::string& cursor, const std::string& pattern, const KeyTypes& types) {
  Positions positions(cursor, pattern, types);
  const std::optional<std::string> start = positions.of("");
  positions.end();
  if (!start) throw InvalidCursor("the cursor is malformed");
  return *start;
}

// @snippet cursorAfter
inline std::string cursorAfter(const std::vector<Request>& requests, const std::vector<std::string>& keys) {
  const Request* first = nullptr;
  std::string positions;
  size_t place = 0;
  for (size_t i = 0; i < requests.size(); ++i) {
    if (keys.at(i).empty()) continue;
    if (first == nullptr) place = requests[i].place;
    first = first == nullptr ? &requests[i] : first;
    for (; place < requests[i].place; ++place) positions += ",1";
    positions += (positions.empty() ? "" : ",") + keys[i];
    ++place;
  }
  if (first == nullptr) return "";
  for (; place < first->places; ++place) positions += ",1";
  return base64url("[1," + quoted(first->pattern) + ',' + quoted(first->part) + ",[" + positions + "]]");
}

// @snippet startOfTime
// The time with as many characters as its type or format has; the start of a time, such as 2024-01, stays as it is.
inline std::string startOfTime(const std::string& value, size_t length) {
  if (length < 20) return value.substr(0, length);
  const bool whole = value.size() >= 20 && value.back() == 'Z' && (value.size() == 20 || value[19] == '.');
  if (!whole) return value;
  std::string decimals = value.size() == 20 ? "" : value.substr(20, value.size() - 21);
  decimals.resize(length > 21 ? length - 21 : 0, '0');
  return value.substr(0, 19) + (length > 20 ? '.' + decimals : "") + 'Z';
}

// @snippet time
// A complete time in UTC, as items store it.
inline std::string time(const std::string& value, size_t length) {
  const std::string whole = startOfTime(value, length);
  const std::string layout = startOfTime("0000-00-00T00:00:00.000000Z", length);
  bool fits = whole.size() == layout.size();
  for (size_t i = 0; fits && i < layout.size(); ++i) {
    fits = layout[i] == '0' ? whole[i] >= '0' && whole[i] <= '9' : whole[i] == layout[i];
  }
  if (!fits) throw std::invalid_argument(value + " is not a time in UTC");
  return whole;
}

// @snippet nowSeconds
inline std::int64_t nowSeconds() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

// @snippet nowMillis
inline std::int64_t nowMillis() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

// @snippet nowTime
inline std::string nowTime(size_t length) {
  const std::int64_t millis = nowMillis();
  const std::time_t now = static_cast<std::time_t>(millis / 1000);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", std::gmtime(&now));
  const std::string decimals = std::to_string(1000 + millis % 1000).substr(1);
  return startOfTime(text + ('.' + decimals) + 'Z', length);
}

// @snippet lessOne
// The text with one less in its last character: a text before all texts that begin with the given one.
inline std::string lessOne(std::string whole) {
  if (!whole.empty()) --whole.back();
  return whole;
}

// @snippet isEmptyRange
// Returns true if the lower bound, a value in the API's JSON, is above the upper one. DynamoDB refuses such a request.
inline bool isEmptyRange(const std::string& low, const std::string& high) {
  const auto text = [](const std::string& value) {
    std::string out;
    for (size_t i = 6; i + 2 < value.size(); ++i) {
      const bool control = value.compare(i, 4, "\\u00") == 0;
      if (value[i] == '\\') ++i;
      out += control ? static_cast<char>(std::stoi(value.substr(i + 1, 4), nullptr, 16)) : value[i];
      i += control ? 4 : 0;
    }
    return out;
  };
  if (low[2] == 'N') return std::stold(text(low)) > std::stold(text(high));
  return text(low) > text(high);
}

// @snippet text
// A value as part of a key. An empty value or one with the separator in it could form another
// entity's key.
inline std::string text(const char* name, const std::string& value) {
  const bool parted = kSeparator[0] != '\0' && value.find(kSeparator) != std::string::npos;
  if (value.empty() || parted) throw std::invalid_argument(std::string(name) + " cannot be part of a key: " + value);
  return value;
}

// @snippet lower
// Lowercases ASCII letters only.
inline std::string lower(std::string value) {
  for (char& c : value) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return value;
}

// @snippet upper
// Uppercases ASCII letters only.
inline std::string upper(std::string value) {
  for (char& c : value) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  return value;
}

// @snippet boolText
inline std::string boolText(bool value) { return value ? "true" : "false"; }

// @snippet numberText
inline std::string numberText(const Number& number) { return number.text; }

// @snippet pad
// A natural number with leading zeros, so that text order is number order.
inline std::string pad(const char* name, const Number& number, size_t width) {
  const bool digits = number.text.find_first_not_of("0123456789") == std::string::npos;
  if (!digits || number.text.empty() || number.text.size() > width) {
    throw std::invalid_argument(std::string(name) + " must be a natural number of at most " + std::to_string(width) +
                                " digits: " + number.text);
  }
  return std::string(width - number.text.size(), '0') + number.text;
}

// @snippet shardOf
// FNV-1a, 32 bits, over the bytes of a text, modulo the number of shards.
inline std::string shardOf(const std::string& value, std::uint32_t shards) {
  std::uint32_t hash = 2166136261u;
  for (const char c : value) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return std::to_string(hash % shards);
}

// @snippet randomShard
inline std::string randomShard(int shards) {
  static thread_local std::mt19937 random{std::random_device{}()};
  return std::to_string(std::uniform_int_distribution<int>(0, shards - 1)(random));
}

// @snippet seconds
inline std::int64_t seconds(const Number& number) { return std::stoll(number.text); }

// @snippet required
template <typename T>
const T& required(const char* name, const std::optional<T>& value) {
  if (!value) throw std::invalid_argument(std::string(name) + " is missing");
  return *value;
}

// @snippet missing
template <typename T>
bool missing(const T&) {
  return false;
}
template <typename T>
bool missing(const std::optional<T>& value) {
  return !value.has_value();
}

// @snippet holds
// One comparison of a model's condition.
inline bool holdsOrder(int order, std::string_view sign) {
  if (sign == "=") return order == 0;
  if (sign == "<>") return order != 0;
  if (sign == "<") return order < 0;
  if (sign == "<=") return order <= 0;
  return sign == ">" ? order > 0 : order >= 0;
}
inline bool holds(const std::string& left, std::string_view sign, const std::string& right) {
  if (sign == "begins_with") return left.compare(0, right.size(), right) == 0;
  return holdsOrder(left.compare(right), sign);
}
inline bool holds(const Number& left, std::string_view sign, const Number& right) {
  const long double difference = std::stold(left.text) - std::stold(right.text);
  return holdsOrder(difference < 0 ? -1 : difference > 0 ? 1 : 0, sign);
}
inline bool holds(bool left, std::string_view sign, bool right) { return holdsOrder(left - right, sign); }
// For a missing value only <> is true, as in DynamoDB.
template <typename T, typename Right>
bool holds(const std::optional<T>& left, std::string_view sign, const Right& right) {
  return left.has_value() ? holds(*left, sign, right) : sign == "<>";
}

// @snippet sizeOf
// The size of a value as DynamoDB counts it: bytes of a text, elements of a set. That of a list or map is not known here.
template <typename T>
std::optional<Number> sizeOf(const T& value) {
  return Number(value.size());
}
inline std::optional<Number> sizeOf(const Json&) { return std::nullopt; }
template <typename T>
std::optional<Number> sizeOf(const std::optional<T>& value) {
  return value ? sizeOf(*value) : std::nullopt;
}

// @snippet containsPart
// Returns true if a text has the part, or a set the element.
inline bool containsPart(const std::string& value, const std::string& part) { return value.find(part) != std::string::npos; }
inline bool containsPart(const std::set<std::string>& value, const std::string& part) { return value.count(part) > 0; }
inline bool containsPart(const std::vector<Number>& value, const Number& part) {
  return std::any_of(value.begin(), value.end(), [&](const Number& one) { return holds(one, "=", part); });
}
template <typename T>
bool containsPart(const Json&, const T&) {
  return false;
}
template <typename T, typename Part>
bool containsPart(const std::optional<T>& value, const Part& part) {
  return value && containsPart(*value, part);
}

// @snippet buckets
// The years, months, days or hours (4, 7, 10 or 13 characters) from one time to another,
// inclusive.
inline std::vector<std::string> buckets(size_t length, const std::string& from, const std::string& to) {
  const std::string first = from.substr(0, length);
  const std::string last = to.substr(0, length);
  int year = 0, month = 1, day = 1, hour = 0;
  const int read = std::sscanf(first.c_str(), "%4d-%2d-%2dT%2d", &year, &month, &day, &hour);
  if (read < 1 || first.size() < length || last.size() < length)
    throw std::invalid_argument(from + " to " + to + " is not a time range");
  std::vector<std::string> all;
  for (;;) {
    const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const int days = month == 2 && leap ? 29 : kDays[month - 1];
    char one[64];
    std::snprintf(one, sizeof one, "%04d-%02d-%02dT%02d", year, month, day, hour);
    const std::string bucket = std::string(one).substr(0, length);
    if (bucket > last) return all;
    if (all.size() == 1000) throw std::invalid_argument(from + " to " + to + " spans more than 1000 partitions");
    all.push_back(bucket);
    if (length == 13 && ++hour < 24) continue;
    hour = 0;
    if (length >= 10 && ++day <= days) continue;
    day = 1;
    if (length >= 7 && ++month <= 12) continue;
    month = 1;
    ++year;
  }
}

// @snippet uses
// Returns true if the expression uses the alias.
inline bool uses(const std::string& expression, const std::string& alias) {
  for (size_t at = expression.find(alias); at != std::string::npos; at = expression.find(alias, at + 1)) {
    const size_t end = at + alias.size();
    if (end == expression.size() ||
        !(std::isalnum(static_cast<unsigned char>(expression[end])) || expression[end] == '_'))
      return true;
  }
  return false;
}

// @snippet updateOf
// The expressions of an update, with only the names and values that they use: DynamoDB refuses unused ones. An update that
// changes nothing is refused, unless it has a condition and is not in a transaction (`always`).
inline void updateOf(Members& request, const std::vector<std::pair<std::string, std::vector<std::string>>>& clauses,
                     const std::string& condition, const Members& names, const Members& values, bool given,
                     bool always) {
  std::string update;
  for (const auto& [word, all] : clauses) {
    std::string some;
    for (const std::string& one : all) {
      if (!one.empty()) some += (some.empty() ? "" : ", ") + one;
    }
    if (!some.empty()) update += (update.empty() ? "" : " ") + word + ' ' + some;
  }
  if ((update.empty() || !given) && (always || condition.empty()))
    throw std::invalid_argument("the update changes nothing: give at least one of its optional inputs");
  const auto kept = [&](const Members& all) {
    Members some;
    for (const auto& one : all) {
      if (uses(update + ' ' + condition, one.first)) some.push_back(one);
    }
    return some.empty() ? std::string() : object(some);
  };
  if (!update.empty()) request.emplace_back("UpdateExpression", quoted(update));
  if (!condition.empty()) request.emplace_back("ConditionExpression", quoted(condition));
  request.emplace_back("ExpressionAttributeNames", kept(names));
  request.emplace_back("ExpressionAttributeValues", kept(values));
}
