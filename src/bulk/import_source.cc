#include "bulk/import_source.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/base64.h"
#include "bulk/export.h"
#include "bulk/import_fault.h"
#include "json/document.h"

namespace keyfold {
namespace {

constexpr Rule<"{} is damaged: it is not what {} says it was"> kManifestChanged{"import-manifest-md5",
                                                                               Kind::kValidation};
constexpr Rule<"{} is missing: the export is not whole"> kMissing{"import-file-missing", Kind::kValidation};
constexpr Rule<"{} is damaged: line {} names no file and its MD5"> kManifestLine{"import-manifest-line",
                                                                                Kind::kValidation};
constexpr Rule<"{} is not one of the files that {} names"> kUnnamedFile{"import-file-unnamed", Kind::kValidation};
constexpr Rule<"{} is too large for a manifest"> kManifestSize{"import-manifest-size", Kind::kValidation};

constexpr std::string_view kRoot = "AWSDynamoDB/", kData = "data/", kManifest = "manifest-";
constexpr size_t kManifestBytesMax = 64 << 20;

template <typename T>
Result<T> FromSource(Result<T> result) {
  if (result.ok()) return result;
  return SourceFault(result.error());
}

// Where a key stands in an export's layout: root/ID/rest, root ending in "AWSDynamoDB/".
struct ExportPlace {
  std::string_view root, id, rest;
  std::string Folder() const { return std::string(root).append(id).append("/"); }
};

// Nothing where it is not in one. What several incremental exports share, root/data/x, is of none of them.
std::optional<ExportPlace> PlaceOf(std::string_view key) {
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

// Reads the bucket for one import. One thread at a time.
class SourceFinder {
 public:
  explicit SourceFinder(Bucket& bucket) : bucket_(bucket) {}

  Result<std::vector<SourceFile>> Find(const ImportOrder& order) {
    std::vector<SourceFile> files;
    RETURN_IF_ERROR(AddPrefix(order.prefix.value_or(""), files));
    for (const std::string& increment : order.increments) RETURN_IF_ERROR(AddIncrement(increment, files));
    return files;
  }

 private:
  // The data files that a manifest names, by key, and their MD5s.
  using Named = std::map<std::string, std::string, std::less<>>;

  std::string Where(std::string_view key) const { return bucket_.Name().append("/").append(key); }

  Status AddPrefix(const std::string& prefix, std::vector<SourceFile>& files) {
    ASSIGN_OR_RETURN(const std::vector<Bucket::Object> objects, FromSource(bucket_.List(prefix)));
    std::set<std::string> folders;
    for (const Bucket::Object& object : objects) {
      if (const auto place = PlaceOf(object.key)) folders.insert(place->Folder());
    }
    Named named;
    std::set<std::string> with_manifest;
    for (const std::string& folder : folders) {
      ASSIGN_OR_RETURN(const bool has, ReadManifests(folder, named));
      if (has) with_manifest.insert(folder);
    }
    std::set<std::string_view> present;
    for (const Bucket::Object& object : objects) {
      present.insert(object.key);
      const auto place = PlaceOf(object.key);
      const bool data = object.key.back() != '/' && (!place || place->rest.starts_with(kData));
      if (!data) continue;
      const auto it = named.find(object.key);
      if (it == named.end() && place && with_manifest.contains(place->Folder())) {
        return DamagedSource(kUnnamedFile(Where(object.key), FilesManifestOf(place->Folder())).message());
      }
      files.push_back({.key = object.key, .md5 = it == named.end() ? "" : it->second});
    }
    return AreThere(named, prefix, present);
  }

  // Of the named files those that the prefix takes in.
  Status AreThere(const Named& named, const std::string& prefix, const std::set<std::string_view>& present) const {
    for (const auto& [key, md5] : named) {
      if (key.starts_with(prefix) && !present.contains(key)) return DamagedSource(kMissing(Where(key)).message());
    }
    return Ok();
  }

  Status AddIncrement(std::string folder, std::vector<SourceFile>& files) {
    if (!folder.ends_with('/')) folder += '/';
    Named named;
    ASSIGN_OR_RETURN(const bool has, ReadManifests(folder, named));
    if (!has) return DamagedSource(kMissing(Where(FilesManifestOf(folder))).message());
    for (const auto& [key, md5] : named) files.push_back({.key = key, .md5 = md5, .changes = true});
    return Ok();
  }

  static std::string FilesManifestOf(const std::string& folder) { return folder + "manifest-files.json"; }

  // Both manifests and their checksums are there and fit; false: there is none of them.
  Result<bool> ReadManifests(const std::string& folder, Named& named) {
    ASSIGN_OR_RETURN(const std::vector<Bucket::Object> objects,
                     FromSource(bucket_.List(folder + std::string(kManifest))));
    if (objects.empty()) return false;
    std::set<std::string> present;
    for (const Bucket::Object& object : objects) present.insert(object.key);
    ASSIGN_OR_RETURN(const std::string summary, ReadChecked(folder + "manifest-summary", present));
    ASSIGN_OR_RETURN(const std::string lines, ReadChecked(folder + "manifest-files", present));
    RETURN_IF_ERROR(ReadNames(lines, folder, named));
    return true;
  }

  // STEM.json, which is what STEM.md5 or STEM.checksum says.
  Result<std::string> ReadChecked(const std::string& stem, const std::set<std::string>& present) {
    const std::string key = stem + ".json";
    const std::string checksum_key = stem + (present.contains(stem + ".checksum") ? ".checksum" : ".md5");
    for (const std::string& needed : {key, checksum_key}) {
      if (!present.contains(needed)) return DamagedSource(kMissing(Where(needed)).message());
    }
    ASSIGN_OR_RETURN(std::string manifest, ReadWhole(key));
    ASSIGN_OR_RETURN(const std::string checksum, ReadWhole(checksum_key));
    if (checksum != ManifestChecksum(manifest) && checksum != ManifestChecksum(manifest) + "\n") {
      return DamagedSource(kManifestChanged(Where(key), Where(checksum_key)).message());
    }
    return manifest;
  }

  Result<std::string> ReadWhole(const std::string& key) {
    ASSIGN_OR_RETURN(const auto source, FromSource(bucket_.Read(key)));
    std::string content, piece(64 << 10, '\0');
    for (;;) {
      ASSIGN_OR_RETURN(const size_t bytes, FromSource(source->Read(piece.data(), piece.size())));
      if (bytes == 0) return content;
      content.append(piece, 0, bytes);
      if (content.size() > kManifestBytesMax) return DamagedSource(kManifestSize(Where(key)).message());
    }
  }

  // A manifest knows its files by the keys that they were written to. The whole may stand elsewhere now: what is behind
  // the root is what counts.
  Status ReadNames(std::string_view lines, const std::string& folder, Named& named) {
    const std::optional<ExportPlace> place = PlaceOf(folder);
    json::Parser parser;
    for (size_t number = 1; !lines.empty(); ++number) {
      const std::string line(lines.substr(0, lines.find('\n')));
      lines.remove_prefix(std::min(line.size() + 1, lines.size()));
      if (line.empty()) continue;
      const std::optional<json::Value> json = parser.Parse(line);
      std::string md5;
      const std::optional<std::string> key = json ? ReadName(*json, md5) : std::nullopt;
      if (!key) return DamagedSource(kManifestLine(Where(FilesManifestOf(folder)), number).message());
      const size_t at = place ? key->rfind(kRoot) : std::string::npos;
      named[at == std::string::npos ? *key : std::string(place->root) + key->substr(at + kRoot.size())] = md5;
    }
    return Ok();
  }

  static std::optional<std::string> ReadName(json::Value json, std::string& md5) {
    if (!json.is_object()) return std::nullopt;
    const auto key = json::Find(json, "dataFileS3Key"), checksum = json::Find(json, "md5Checksum");
    if (!key || !key->is_string() || !checksum || !checksum->is_string()) return std::nullopt;
    if (!AppendFromBase64(md5, checksum->AsString()) || md5.size() != 16) return std::nullopt;
    return std::string(key->AsString());
  }

  Bucket& bucket_;
};

}  // namespace

Result<std::vector<SourceFile>> FindSourceFiles(Bucket& bucket, const ImportOrder& order) {
  return SourceFinder(bucket).Find(order);
}

}  // namespace keyfold
