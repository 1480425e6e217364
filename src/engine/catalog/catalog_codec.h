// Archives: encoding of the catalog's entries. Fields(archive, x) lists a struct's fields once for both directions;
// Writer and Reader are the two archives. The first byte is the version: a field that was added later is read only from
// bytes that have it (`if (a.version() >= 2) a(v.field)`).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "engine/catalog/table.h"
#include "store/store.h"
#include "value/key_schema.h"

namespace keyfold::engine::archive {

// Writer and Reader are each used by one thread at a time.
class Writer {
 public:
  explicit Writer(uint8_t version) : version_(version) { out_.push_back(static_cast<char>(version)); }
  uint8_t version() const { return version_; }
  void operator()(const std::string& s) { AppendString(out_, s); }
  void operator()(bool b) { out_.push_back(b ? 1 : 0); }
  void operator()(StreamViewType type) { AppendString(out_, NameOf(type)); }  // the other enums are numbers
  template <typename T>
  requires(std::is_integral_v<T> || std::is_enum_v<T>) void operator()(T v) {
    AppendU64(out_, static_cast<uint64_t>(v));
  }
  template <typename T>
  void operator()(const std::optional<T>& v) {
    (*this)(v.has_value());
    if (v) (*this)(*v);
  }
  template <typename T>
  void operator()(const std::vector<T>& v) {
    AppendVarint(out_, v.size());
    for (const T& e : v) (*this)(e);
  }
  template <typename A, typename B>
  void operator()(const std::pair<A, B>& p) {
    (*this)(p.first);
    (*this)(p.second);
  }
  template <typename T>
  requires std::is_class_v<T>
  void operator()(const T& v) { Fields(*this, v); }
  std::string Take() { return std::move(out_); }

 private:
  const uint8_t version_;
  std::string out_;
};

class Reader {
 public:
  // Bytes of a version later than `newest` are not decoded and are never Whole().
  Reader(std::string_view bytes, uint8_t newest) : in_(bytes), version_(in_.U8()) {
    known_ = version_ >= 1 && version_ <= newest;
    if (!known_) in_ = ByteReader({});
  }
  uint8_t version() const { return version_; }
  void operator()(std::string& s) { s = in_.String(); }
  void operator()(bool& b) { b = in_.U8() != 0; }
  void operator()(StreamViewType& type) {
    const std::optional<StreamViewType> named = StreamViewTypeByName(in_.String());
    known_ = known_ && named;
    type = named.value_or(StreamViewType::kNone);
  }
  template <typename T>
  requires(std::is_integral_v<T> || std::is_enum_v<T>) void operator()(T& v) { v = static_cast<T>(in_.U64()); }
  template <typename T>
  void operator()(std::optional<T>& v) {
    bool has = false;
    (*this)(has);
    if (has) (*this)(v.emplace());
  }
  template <typename T>
  void operator()(std::vector<T>& v) {
    const uint64_t n = in_.Varint();
    for (uint64_t i = 0; i < n && in_.ok(); ++i) (*this)(v.emplace_back());
  }
  template <typename A, typename B>
  void operator()(std::pair<A, B>& p) {
    (*this)(p.first);
    (*this)(p.second);
  }
  template <typename T>
  requires std::is_class_v<T>
  void operator()(T& v) { Fields(*this, v); }
  bool Whole() const { return known_ && in_.ok() && in_.at_end(); }

 private:
  ByteReader in_;
  const uint8_t version_;
  bool known_ = false;  // the version, and every name so far
};

template <typename T, typename U>
concept Is = std::is_same_v<std::remove_const_t<T>, U>;

template <typename Archive, Is<KeyAttribute> T>
void Fields(Archive& a, T& v) {
  a(v.name), a(v.type);
}
template <typename Archive, Is<KeySchema> T>
void Fields(Archive& a, T& v) {
  a(v.partition), a(v.sort);
}
template <typename Archive, Is<store::CommitStamp> T>
void Fields(Archive& a, T& v) {
  a(v.commit), a(v.time);
}

}  // namespace keyfold::engine::archive
