#include "transfer/import/import.h"

#include "engine/catalog/catalog_codec.h"

namespace keyfold::engine::archive {

template <typename Archive, Is<transfer::ImportOrder::Csv> T>
void Fields(Archive& a, T& v) {
  a(v.delimiter), a(v.header);
}
template <typename Archive, Is<transfer::ImportOrder> T>
void Fields(Archive& a, T& v) {
  a(v.token), a(v.bucket), a(v.prefix), a(v.bucket_owner), a(v.format), a(v.compression), a(v.csv), a(v.increments);
}
template <typename Archive, Is<transfer::ImportTally> T>
void Fields(Archive& a, T& v) {
  a(v.processed), a(v.imported), a(v.errors), a(v.bytes);
}
// Everything except the table, which has its own version.
template <typename Archive, Is<transfer::Import> T>
void Fields(Archive& a, T& v) {
  a(v.id), a(v.order), a(v.status), a(v.started), a(v.ended), a(v.tally), a(v.failure_code), a(v.failure_message);
}

}  // namespace keyfold::engine::archive

namespace keyfold::transfer {

namespace {

constexpr uint8_t kImportVersion = 1;
constexpr std::string_view kNotes = "import/";

ImportPtr Decoded(const std::string& bytes) {
  std::optional<Import> import = DecodeImport(bytes);
  return import ? std::make_shared<const Import>(*std::move(import)) : nullptr;
}

}  // namespace

std::string_view NameOf(Import::Status status) {
  switch (status) {
    case Import::Status::kInProgress:
      return "IN_PROGRESS";
    case Import::Status::kCompleted:
      return "COMPLETED";
    case Import::Status::kCancelled:
      return "CANCELLED";
    case Import::Status::kFailed:
      break;
  }
  return "FAILED";
}

std::string ImportNote(std::string_view id) { return std::string(kNotes).append(id); }

std::string EncodeImport(const Import& made) {
  engine::archive::Writer writer(kImportVersion);
  writer(made);
  writer(engine::EncodeTable(made.table));
  return writer.Take();
}

std::optional<Import> DecodeImport(std::string_view bytes) {
  engine::archive::Reader reader(bytes, kImportVersion);
  Import import;
  std::string table_bytes;
  reader(import);
  reader(table_bytes);
  if (!reader.Whole()) return std::nullopt;
  std::optional<engine::Table> table = engine::DecodeTable(table_bytes);
  if (!table) return std::nullopt;
  import.table = *std::move(table);
  return import;
}

ImportPtr FindImport(const engine::CatalogSnapshot& snapshot, std::string_view id) {
  const auto it = snapshot.notes.find(ImportNote(id));
  return it == snapshot.notes.end() ? nullptr : Decoded(*it->second);
}

std::vector<ImportPtr> AllImports(const engine::CatalogSnapshot& snapshot) {
  std::vector<ImportPtr> imports;
  for (auto it = snapshot.notes.lower_bound(kNotes); it != snapshot.notes.end(); ++it) {
    if (!it->first.starts_with(kNotes)) break;
    if (ImportPtr import = Decoded(*it->second)) imports.push_back(std::move(import));
  }
  return imports;
}

}  // namespace keyfold::transfer
