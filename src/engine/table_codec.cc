// A table's bytes in the catalog: a version byte, then every field of Table in the order below, one place for both
// directions.
#include "base/bytes.h"
#include "engine/table.h"

namespace keyfold {
namespace {

constexpr uint8_t kTableVersion = 1;

// Fields(archive, x) names a struct's fields once; Writer and Reader are the two archives.
class Writer {
 public:
  void operator()(const std::string& s) { AppendString(out_, s); }
  void operator()(bool b) { out_.push_back(b ? 1 : 0); }
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
  std::string out_{static_cast<char>(kTableVersion)};
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : in_(bytes) {}
  void operator()(std::string& s) { s = in_.String(); }
  void operator()(bool& b) { b = in_.U8() != 0; }
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
  bool Whole() const { return in_.ok() && in_.at_end(); }

 private:
  ByteReader in_;
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
template <typename Archive, Is<Throughput> T>
void Fields(Archive& a, T& v) {
  a(v.read_units), a(v.write_units), a(v.last_increase), a(v.last_decrease), a(v.decreases_today);
}
template <typename Archive, Is<UnitPair> T>
void Fields(Archive& a, T& v) {
  a(v.read_units), a(v.write_units);
}
template <typename Archive, Is<Index> T>
void Fields(Archive& a, T& v) {
  a(v.id), a(v.name), a(v.global), a(v.key), a(v.projection), a(v.included);
  a(v.throughput), a(v.on_demand), a(v.warm), a(v.status), a(v.backfilling);
}
template <typename Archive, Is<StreamSettings> T>
void Fields(Archive& a, T& v) {
  a(v.enabled), a(v.view_type), a(v.label);
}
template <typename Archive, Is<EncryptionSettings> T>
void Fields(Archive& a, T& v) {
  a(v.enabled), a(v.type), a(v.key_arn);
}
template <typename Archive, Is<Table> T>
void Fields(Archive& a, T& v) {
  a(v.id), a(v.name), a(v.uuid), a(v.key), a(v.attributes), a(v.indexes), a(v.next_index_id);
  a(v.on_demand_billing), a(v.on_demand_since), a(v.throughput), a(v.on_demand), a(v.warm);
  a(v.table_class), a(v.table_class_since), a(v.deletion_protection), a(v.encryption), a(v.stream), a(v.tags);
  a(v.created), a(v.creating_until), a(v.updating_until), a(v.deleting), a(v.deleting_until);
}

}  // namespace

std::string EncodeTable(const Table& table) {
  Writer writer;
  writer(table);
  return writer.Take();
}

std::optional<Table> DecodeTable(std::string_view bytes) {
  if (bytes.empty() || static_cast<uint8_t>(bytes[0]) != kTableVersion) return std::nullopt;
  Reader reader(bytes.substr(1));
  Table table;
  reader(table);
  if (!reader.Whole()) return std::nullopt;
  return table;
}

}  // namespace keyfold
