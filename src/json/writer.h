// Appends JSON to a string: escaping, commas, and DynamoDB's format of times.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace keyfold::json {

// Appends `text`, which is UTF-8, in quotes.
void AppendQuoted(std::string& out, std::string_view text);

// Adds commas by itself. Used by one thread at a time.
//   Writer w(out); w.BeginObject(); w.Key("Count"); w.Int(3); w.EndObject();
class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}

  void BeginObject() { Open('{'); }
  void EndObject() { Close('}'); }
  void BeginArray() { Open('['); }
  void EndArray() { Close(']'); }
  void Key(std::string_view name) {
    Separate();
    AppendQuoted(out_, name);
    out_.push_back(':');
    separate_ = false;
  }

  void String(std::string_view text) {
    Separate();
    AppendQuoted(out_, text);
  }
  void Int(int64_t value);
  void Double(
      double value);  // the shortest digits that read back; whole numbers with ".0", as DynamoDB prints capacity
  void EpochSeconds(int64_t micros);  // 1700000000.123
  void Bool(bool value) { Raw(value ? "true" : "false"); }
  void Null() { Raw("null"); }
  // Appends one complete JSON value.
  void Raw(std::string_view value) {
    Separate();
    out_.append(value);
  }
  // Appends a comma if needed; the caller then appends one complete value to the returned string.
  std::string& BeginRaw() {
    Separate();
    return out_;
  }

  // Writes a member whose value is text, a number or true/false.
  void Member(std::string_view name, std::string_view text) {
    Key(name);
    String(text);
  }
  void Member(std::string_view name, const char* text) { Member(name, std::string_view(text)); }
  void Member(std::string_view name, bool value) {
    Key(name);
    Bool(value);
  }
  void Member(std::string_view name, double value) {
    Key(name);
    Double(value);
  }
  template <std::integral T>
  requires(!std::same_as<T, bool>) void Member(std::string_view name, T value) {
    Key(name);
    Int(static_cast<int64_t>(value));
  }

 private:
  void Separate() {
    if (separate_) out_.push_back(',');
    separate_ = true;
  }
  void Open(char bracket) {
    Separate();
    out_.push_back(bracket);
    separate_ = false;
  }
  void Close(char bracket) {
    out_.push_back(bracket);
    separate_ = true;
  }

  std::string& out_;
  bool separate_ = false;  // the next value or key needs a comma before it
};

}  // namespace keyfold::json
