// Reading JSON: a parser that reuses its buffers, and views of the parsed document. The views read the parser's tape in
// place, so this header needs no JSON library.
#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/check.h"

namespace keyfold::json {

// Numbers have two types: without and with a fraction or exponent.
enum class Type : uint8_t { kNull, kBool, kInteger, kDecimal, kString, kArray, kObject };

class ArrayRange;
class ObjectRange;

// A borrowed value of a parsed document: valid until its parser parses again or is destroyed. Immutable.
class Value {
 public:
  Type type() const;
  bool is_null() const { return Tag() == 'n'; }
  bool is_string() const { return Tag() == '"'; }
  bool is_array() const { return Tag() == '['; }
  bool is_object() const { return Tag() == '{'; }

  // Each may be called only on a value of that type.
  bool AsBool() const { return Tag() == 't'; }
  std::string_view AsString() const {
    const char* p = strings_ + (tape_[index_] & kPayload);
    uint32_t length;
    std::memcpy(&length, p, sizeof length);
    return {p + sizeof length, length};
  }
  std::optional<int64_t> AsInt64() const;  // kInteger; nullopt above 2^63-1
  double AsDouble() const;                 // kInteger, kDecimal
  std::string NumberText() const;          // kInteger, kDecimal; exact for integers
  ArrayRange elements() const;
  ObjectRange members() const;  // in document order, repeated names included

  size_t CountElements() const;  // for arrays and objects

 private:
  friend class Parser;
  friend class ArrayRange;
  friend class ObjectRange;
  static constexpr uint64_t kPayload = (uint64_t{1} << 56) - 1;

  Value(const uint64_t* tape, const char* strings, uint32_t index) : tape_(tape), strings_(strings), index_(index) {}
  char Tag() const { return static_cast<char>(tape_[index_] >> 56); }
  uint32_t After() const {
    switch (Tag()) {
      case '{':
      case '[':
        return static_cast<uint32_t>(tape_[index_]);
      case 'l':
      case 'u':
      case 'd':
        return index_ + 2;
      default:
        return index_ + 1;
    }
  }

  // The tape has one word per value: the type in the top byte, below it the position of its text or its end. The bits
  // of a number are in the next word.
  const uint64_t* tape_;
  const char* strings_;
  uint32_t index_;
};

struct Member {
  std::string_view name;
  Value value;
};

class ArrayRange {
 public:
  class Iterator {
   public:
    explicit Iterator(Value at) : at_(at) {}
    Value operator*() const { return at_; }
    Iterator& operator++() {
      at_.index_ = at_.After();
      return *this;
    }
    bool operator!=(const Iterator& o) const { return at_.index_ != o.at_.index_; }

   private:
    Value at_;
  };
  explicit ArrayRange(Value array) : array_(array) {}
  Iterator begin() const { return Iterator(Value(array_.tape_, array_.strings_, array_.index_ + 1)); }
  Iterator end() const { return Iterator(Value(array_.tape_, array_.strings_, array_.After() - 1)); }

 private:
  Value array_;
};

class ObjectRange {
 public:
  class Iterator {
   public:
    explicit Iterator(Value name) : name_(name) {}
    Member operator*() const { return {name_.AsString(), Value(name_.tape_, name_.strings_, name_.index_ + 1)}; }
    Iterator& operator++() {
      name_.index_ = Value(name_.tape_, name_.strings_, name_.index_ + 1).After();
      return *this;
    }
    bool operator!=(const Iterator& o) const { return name_.index_ != o.name_.index_; }

   private:
    Value name_;
  };
  explicit ObjectRange(Value object) : object_(object) {}
  Iterator begin() const { return Iterator(Value(object_.tape_, object_.strings_, object_.index_ + 1)); }
  Iterator end() const { return Iterator(Value(object_.tape_, object_.strings_, object_.After() - 1)); }

 private:
  Value object_;
};

inline ArrayRange Value::elements() const { return ArrayRange(*this); }
inline ObjectRange Value::members() const { return ObjectRange(*this); }

inline Type Value::type() const {
  switch (Tag()) {
    case '"':
      return Type::kString;
    case '{':
      return Type::kObject;
    case '[':
      return Type::kArray;
    case 't':
    case 'f':
      return Type::kBool;
    case 'l':
    case 'u':
      return Type::kInteger;
    case 'd':
      return Type::kDecimal;
    default:
      return Type::kNull;
  }
}

// Returns the last member with that name. Requires an object.
std::optional<Value> Find(Value object, std::string_view name);

// These follow a path of member names from a value that may be of any type, such as another program's response:
//   TextAt(answer, {"Table", "TableStatus"})
using Path = std::initializer_list<std::string_view>;
// Returns nullopt if the path leads nowhere.
std::optional<Value> FindAt(Value from, Path path);
// Returns "" if there is no string. The text belongs to the document.
std::string_view TextAt(Value from, Path path);
inline std::string_view TextAt(Value from, std::string_view name) { return TextAt(from, {name}); }
// Returns 0 if there is no number.
double NumberAt(Value from, Path path);
inline double NumberAt(Value from, std::string_view name) { return NumberAt(from, {name}); }

// Parses one document at a time and reuses its buffers for the next, up to kKeptBytesMax. Used by one thread at a time.
class Parser {
 public:
  // Maximum nesting of arrays and objects: 32 levels of an item are 64 of JSON, plus those around the item.
  static constexpr size_t kDepthMax = 512;
  static constexpr size_t kKeptBytesMax = 1024 * 1024;
  // A body whose string has this much spare capacity is parsed in place; others are copied first.
  static constexpr size_t kPaddingBytes = 64;

  Parser();
  ~Parser();
  Parser(Parser&&) noexcept;
  Parser& operator=(Parser&&) noexcept;

  // Returns the document's value; nullopt if `text` is not JSON, not UTF-8, or too deeply nested. Invalidates the views
  // of the previous document.
  std::optional<Value> Parse(const std::string& text);

 private:
  struct Buffers;
  std::unique_ptr<Buffers> buffers_;
};

}  // namespace keyfold::json
