#include "transfer/layout/export_manifest.h"

#include <algorithm>

#include "base/text/base64.h"
#include "json/document.h"
#include "transfer/bucket/source_fault.h"
#include "transfer/layout/export.h"

namespace keyfold::transfer {
namespace {

constexpr Rule<"{} is damaged: it does not match {}"> kManifestChanged{"import-manifest-md5", Kind::kValidation};
constexpr Rule<"{} is damaged: line {} does not give a file and its MD5"> kManifestLine{"import-manifest-line",
                                                                                        Kind::kValidation};
constexpr Rule<"{} is too large for a manifest"> kManifestSize{"import-manifest-size", Kind::kValidation};

constexpr std::string_view kRoot = "AWSDynamoDB/", kData = "data/", kManifest = "manifest-";
constexpr size_t kManifestBytesMax = 64 << 20;

// Returns the key; nullopt if the line is malformed.
std::optional<std::string> ReadLine(json::Value json, ManifestFile& file) {
  if (!json.is_object()) return std::nullopt;
  const auto key = json::Find(json, "dataFileS3Key"), checksum = json::Find(json, "md5Checksum");
  if (!key || !key->is_string() || !checksum || !checksum->is_string()) return std::nullopt;
  if (!AppendFromBase64(file.md5, checksum->AsString()) || file.md5.size() != 16) return std::nullopt;
  const auto items = json::Find(json, "itemCount");
  if (items && items->type() == json::Type::kInteger) file.items = items->AsInt64();
  return std::string(key->AsString());
}

}  // namespace

std::optional<ExportPlace> ExportPlace::Of(std::string_view key) {
  const size_t at = key.rfind(kRoot);
  if (at == std::string_view::npos || (at > 0 && key[at - 1] != '/')) return std::nullopt;
  ExportPlace place{.root = key.substr(0, at + kRoot.size()), .id = {}, .rest = {}};
  const std::string_view behind = key.substr(place.root.size());
  const size_t slash = behind.find('/');
  if (slash == std::string_view::npos || behind.substr(0, slash + 1) == kData) return std::nullopt;
  place.id = behind.substr(0, slash);
  place.rest = behind.substr(slash + 1);
  return place;
}

Result<ExportManifests> ExportManifests::Find(Bucket& bucket, std::string folder) {
  ASSIGN_OR_RETURN(const std::vector<Bucket::Object> objects, FromSource(bucket.List(folder + std::string(kManifest))));
  std::set<std::string> present;
  for (const Bucket::Object& object : objects) present.insert(object.key);
  return ExportManifests(bucket, std::move(folder), std::move(present));
}

Result<std::string> ExportManifests::ReadSummary() const { return ReadChecked(folder_ + "manifest-summary"); }

// Reads STEM.json and checks it against STEM.md5 or STEM.checksum.
Result<std::string> ExportManifests::ReadChecked(const std::string& stem) const {
  const std::string key = stem + ".json";
  const std::string checksum_key = stem + (present_.contains(stem + ".checksum") ? ".checksum" : ".md5");
  for (const std::string& needed : {key, checksum_key}) {
    if (!present_.contains(needed)) return DamagedSource(kExportFileMissing(Where(needed)).message());
  }
  ASSIGN_OR_RETURN(std::string manifest, ReadWhole(key));
  ASSIGN_OR_RETURN(const std::string checksum, ReadWhole(checksum_key));
  if (checksum != ManifestChecksum(manifest) && checksum != ManifestChecksum(manifest) + "\n") {
    return DamagedSource(kManifestChanged(Where(key), Where(checksum_key)).message());
  }
  return manifest;
}

Result<std::string> ExportManifests::ReadWhole(const std::string& key) const {
  ASSIGN_OR_RETURN(const auto source, FromSource(bucket_->Read(key)));
  std::string content, piece(64 << 10, '\0');
  for (;;) {
    ASSIGN_OR_RETURN(const size_t bytes, FromSource(source->Read(piece.data(), piece.size())));
    if (bytes == 0) return content;
    content.append(piece, 0, bytes);
    if (content.size() > kManifestBytesMax) return DamagedSource(kManifestSize(Where(key)).message());
  }
}

Result<ManifestFiles> ExportManifests::ReadFiles() const {
  ASSIGN_OR_RETURN(const std::string content, ReadChecked(folder_ + "manifest-files"));
  const std::optional<ExportPlace> place = ExportPlace::Of(folder_);
  ManifestFiles files;
  json::Parser parser;
  std::string_view lines = content;
  for (size_t number = 1; !lines.empty(); ++number) {
    const std::string line(lines.substr(0, lines.find('\n')));
    lines.remove_prefix(std::min(line.size() + 1, lines.size()));
    if (line.empty()) continue;
    const std::optional<json::Value> json = parser.Parse(line);
    ManifestFile file;
    const std::optional<std::string> key = json ? ReadLine(*json, file) : std::nullopt;
    if (!key) return DamagedSource(kManifestLine(Where(FilesKey()), number).message());
    const size_t at = place ? key->rfind(kRoot) : std::string::npos;
    const bool moves = at != std::string::npos;
    files[moves ? std::string(place->root) + key->substr(at + kRoot.size()) : *key] = std::move(file);
  }
  return files;
}

}  // namespace keyfold::transfer
