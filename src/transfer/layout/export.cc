#include "transfer/layout/export.h"

#include <fmt/format.h>

#include "base/text/base64.h"
#include "base/time_text.h"
#include "engine/catalog/catalog_codec.h"
#include "files/stream.h"
#include "json/writer.h"

namespace keyfold::engine::archive {

template <typename Archive, Is<transfer::ExportPeriod> T>
void Fields(Archive& a, T& v) {
  a(v.from), a(v.to), a(v.view);
}
template <typename Archive, Is<transfer::ExportOrder> T>
void Fields(Archive& a, T& v) {
  a(v.table), a(v.time), a(v.bucket), a(v.prefix), a(v.bucket_owner), a(v.encryption), a(v.encryption_key);
  a(v.format), a(v.kind), a(v.period), a(v.token);
}
template <typename Archive, Is<transfer::Export> T>
void Fields(Archive& a, T& v) {
  a(v.id), a(v.order), a(v.table_id), a(v.table_uuid), a(v.from), a(v.time), a(v.latest), a(v.stem), a(v.status);
  a(v.started), a(v.ended), a(v.items), a(v.billed_bytes), a(v.failure_code), a(v.failure_message);
}

}  // namespace keyfold::engine::archive

namespace keyfold::transfer {

namespace {

constexpr uint8_t kExportVersion = 1;
constexpr std::string_view kNotePrefix = "export/";
// versions of the manifests
constexpr std::string_view kFullVersion = "2020-06-30", kIncrementalVersion = "2023-08-01";

constexpr std::string_view kBase32 = "abcdefghijklmnopqrstuvwxyz234567";
constexpr size_t kSuffixCharacters = 10;

void AppendBase32(std::string& out, uint64_t bits, size_t characters) {
  for (size_t i = 0; i < characters; ++i) out.push_back(kBase32[bits >> (5 * i) & 31]);
}

// Different numbers get different suffixes: multiplication by an odd number is a bijection.
void AppendSuffix(std::string& out, size_t number) {
  AppendBase32(out, (number + 1) * 0x9E3779B97F4A7C15u, kSuffixCharacters);
}

void WriteOptional(json::Writer& out, std::string_view name, const std::optional<std::string>& text) {
  out.Key(name);
  text ? out.String(*text) : out.Null();
}

}  // namespace

std::string_view NameOf(Export::Status status) {
  constexpr std::string_view kNames[] = {"IN_PROGRESS", "COMPLETED", "FAILED"};
  return kNames[static_cast<size_t>(status)];
}

std::string_view NameOf(ExportOrder::Kind kind) {
  return kind == ExportOrder::Kind::kFull ? "FULL_EXPORT" : "INCREMENTAL_EXPORT";
}

std::string_view NameOf(ExportPeriod::View view) {
  return view == ExportPeriod::View::kNewImage ? "NEW_IMAGE" : "NEW_AND_OLD_IMAGES";
}

std::string_view NameOf(DataFormat format) {
  constexpr std::string_view kNames[] = {"DYNAMODB_JSON", "ION", "CSV"};
  return kNames[static_cast<size_t>(format)];
}

std::string ExportNote(std::string_view id) { return std::string(kNotePrefix).append(id); }

std::string EncodeExport(const Export& made) {
  engine::archive::Writer writer(kExportVersion);
  writer(made);
  return writer.Take();
}

std::optional<Export> DecodeExport(std::string_view bytes) {
  engine::archive::Reader reader(bytes, kExportVersion);
  Export made;
  reader(made);
  if (!reader.Whole()) return std::nullopt;
  return made;
}

ExportPtr FindExport(const engine::CatalogSnapshot& snapshot, std::string_view id) {
  const auto it = snapshot.notes.find(ExportNote(id));
  if (it == snapshot.notes.end()) return nullptr;
  std::optional<Export> made = DecodeExport(*it->second);
  return made ? std::make_shared<const Export>(*std::move(made)) : nullptr;
}

std::vector<ExportPtr> AllExports(const engine::CatalogSnapshot& snapshot) {
  std::vector<ExportPtr> all;
  for (auto it = snapshot.notes.lower_bound(kNotePrefix); it != snapshot.notes.end(); ++it) {
    if (!it->first.starts_with(kNotePrefix)) break;
    if (ExportPtr made = FindExport(snapshot, std::string_view(it->first).substr(kNotePrefix.size()))) {
      all.push_back(std::move(made));
    }
  }
  return all;
}

ExportLayout::ExportLayout(const Export& of)
    : stem_(of.stem), ending_(of.order.Format() == DataFormat::kIon ? ".ion.gz" : ".json.gz") {
  std::string root = of.order.prefix.value_or("");
  if (!root.empty() && root.back() != '/') root.push_back('/');
  root += "AWSDynamoDB/";
  folder_ = root + of.id + "/";
  data_ = (of.order.IsIncremental() ? root : folder_) + "data/";
}

std::string ExportLayout::DataKey(size_t number) const {
  std::string key = StemKey();
  AppendSuffix(key, number);
  return key + ending_;
}

std::string MakeExportStem(uint64_t high, uint64_t low) {
  std::string stem;
  AppendBase32(stem, high, 8);
  AppendBase32(stem, low, 8);
  return stem;
}

std::string FilesManifest(const std::vector<ExportedFile>& files) {
  std::string text;
  for (const ExportedFile& file : files) {
    std::string md5;
    AppendBase64(md5, file.md5);
    json::Writer out(text);
    out.BeginObject();
    out.Member("itemCount", file.items);
    out.Member("md5Checksum", md5);
    out.Member("etag", file.etag);
    out.Member("dataFileS3Key", file.key);
    out.EndObject();
    text.push_back('\n');
  }
  return text;
}

std::string SummaryManifest(const Export& made, const engine::Identity& identity) {
  const ExportOrder& order = made.order;
  std::string text;
  json::Writer out(text);
  out.BeginObject();
  out.Member("version", order.IsIncremental() ? kIncrementalVersion : kFullVersion);
  out.Member("exportArn", engine::PartArn(identity, order.table, "export", made.id));
  out.Member("startTime", FormatIsoMillis(made.started));
  out.Member("endTime", FormatIsoMillis(made.ended));
  out.Member("tableArn", engine::TableArn(identity, order.table));
  out.Member("tableId", made.table_uuid);
  if (order.IsIncremental()) {
    out.Member("exportFromTime", FormatIsoMillis(made.from));
    out.Member("exportToTime", FormatIsoMillis(made.time));
  } else {
    out.Member("exportTime", FormatIsoMillis(made.time));
  }
  out.Member("s3Bucket", order.bucket);
  WriteOptional(out, "s3Prefix", order.prefix);
  out.Member("s3SseAlgorithm", order.encryption.value_or("AES256"));
  WriteOptional(out, "s3SseKmsKeyId", order.encryption_key);
  out.Member("manifestFilesS3Key", ExportLayout(made).Files());
  out.Member("billedSizeBytes", made.billed_bytes);
  out.Member("itemCount", made.items);
  out.Member("outputFormat", NameOf(order.Format()));
  if (order.IsIncremental()) {
    out.Member("outputView", NameOf(order.ShownView()));
    out.Member("exportType", NameOf(ExportOrder::Kind::kIncremental));
  }
  out.EndObject();
  return text;
}

std::string ManifestChecksum(std::string_view manifest) {
  files::Md5 md5;
  md5.Add(manifest);
  std::string text;
  AppendBase64(text, md5.Finish());
  return text;
}

}  // namespace keyfold::transfer
