#include "transfer/bucket/s3_xml.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "auth/sigv4.h"
#include "base/text/ascii.h"
#include "base/text/printable.h"
#include "base/text/utf8.h"

namespace keyfold::transfer {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

// Appends the character that "lt", "#65" or "#x41" denotes; false if `name` is not an entity.
bool AppendEntity(std::string& out, std::string_view name) {
  constexpr std::pair<std::string_view, char> kNamed[] = {
      {"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}};
  for (const auto& [known, character] : kNamed) {
    if (name != known) continue;
    out.push_back(character);
    return true;
  }
  if (!name.starts_with('#')) return false;
  name.remove_prefix(1);
  const bool hex = name.starts_with('x');
  if (hex) name.remove_prefix(1);
  uint32_t code = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), code, hex ? 16 : 10);
  const bool number = error == std::errc() && end == name.data() + name.size();
  if (!number || code == 0 || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return false;
  AppendUtf8(out, code);
  return true;
}

// Appends text between tags, with entities replaced.
bool AppendText(std::string& out, std::string_view raw) {
  constexpr size_t kEntityBytesMax = 10;
  while (!raw.empty()) {
    const size_t ampersand = std::min(raw.find('&'), raw.size());
    out.append(raw.substr(0, ampersand));
    raw.remove_prefix(ampersand);
    if (raw.empty()) break;
    const size_t semicolon = raw.substr(0, kEntityBytesMax + 2).find(';');
    if (semicolon == raw.npos || !AppendEntity(out, raw.substr(1, semicolon - 1))) return false;
    raw.remove_prefix(semicolon + 1);
  }
  return true;
}

// Skips everything through `end`; false if there is no `end`.
bool SkipPast(std::string_view& rest, std::string_view end) {
  const size_t at = rest.find(end);
  if (at == rest.npos) return false;
  rest.remove_prefix(at + end.size());
  return true;
}

// Returns the name at the start of a tag's contents.
std::string_view NameIn(std::string_view tag) { return tag.substr(0, tag.find_first_of(" \t\r\n/")); }

// Returns the position of the '>' that ends the tag `rest` is inside of, ignoring those in attribute values; npos if
// there is none.
size_t EndOfTag(std::string_view rest) {
  char quote = 0;
  for (size_t i = 0; i < rest.size(); ++i) {
    const char c = rest[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '>') {
      return i;
    }
  }
  return std::string_view::npos;
}

// One pass over a document. Used by one thread at a time.
class XmlPass {
 public:
  using OnElement = FunctionRef<void(std::string_view, std::string_view)>;
  XmlPass(std::string_view xml, OnElement on_element) : rest_(xml), on_element_(on_element) {}

  bool Run() {
    if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
    while (!rest_.empty()) {
      if (!(rest_.front() == '<' ? TakeMarkup() : TakeText())) return false;
    }
    return seen_root_ && starts_.empty();
  }

 private:
  bool TakeText() {
    const std::string_view text = rest_.substr(0, rest_.find('<'));
    rest_.remove_prefix(text.size());
    if (starts_.empty()) return text.find_first_not_of(kSpace) == text.npos;
    return AppendText(texts_.back(), text);
  }

  bool TakeMarkup() {
    if (rest_.starts_with("<?")) return SkipPast(rest_, "?>");
    if (rest_.starts_with("<!--")) return SkipPast(rest_, "-->");
    if (rest_.starts_with("<![CDATA[")) return TakeCData();
    if (rest_.starts_with("<!")) return false;
    rest_.remove_prefix(1);
    const size_t end = EndOfTag(rest_);
    if (end == rest_.npos) return false;
    const std::string_view tag = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    if (tag.starts_with('/')) return Close(tag.substr(1));
    return Open(tag);
  }

  bool TakeCData() {
    rest_.remove_prefix(9);
    const size_t end = rest_.find("]]>");
    if (end == rest_.npos || starts_.empty()) return false;
    texts_.back().append(rest_.substr(0, end));
    rest_.remove_prefix(end + 3);
    return true;
  }

  bool Open(std::string_view tag) {
    const std::string_view name = NameIn(tag);
    if (name.empty() || starts_.size() == kXmlDepthMax || (starts_.empty() && seen_root_)) return false;
    seen_root_ = true;
    starts_.push_back(path_.size());
    texts_.emplace_back();
    if (!path_.empty()) path_.push_back('/');
    path_.append(name);
    return tag.ends_with('/') ? Close(name) : true;
  }

  bool Close(std::string_view tag) {
    if (starts_.empty()) return false;
    const size_t start = starts_.back();
    const std::string_view name = std::string_view(path_).substr(start == 0 ? 0 : start + 1);
    if (NameIn(tag) != name || tag.substr(name.size()).find_first_not_of(kSpace) != tag.npos) return false;
    on_element_(path_, texts_.back());
    texts_.pop_back();
    starts_.pop_back();
    path_.resize(start);
    return true;
  }

  std::string_view rest_;
  const OnElement on_element_;
  std::string path_;                // names of the open elements
  std::vector<size_t> starts_;      // where each begins in path_
  std::vector<std::string> texts_;  // text of each
  bool seen_root_ = false;
};

// Decodes a key of a listing in URL encoding, in which '+' is a space.
std::string DecodedKey(std::string_view text) {
  std::string spaced(text);
  for (char& c : spaced) {
    if (c == '+') c = ' ';
  }
  return auth::PercentDecoded(spaced);
}

bool ReadSize(std::string_view text, uint64_t& size) {
  text = TrimSpaces(text);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  return error == std::errc() && end == text.data() + text.size();
}

// Returns the text of the first element at `path`, if the document's root is the first part of the path.
std::optional<std::string> TextAt(std::string_view xml, std::string_view path) {
  std::optional<std::string> found;
  const bool whole = ReadXml(xml, [&](std::string_view at, std::string_view text) {
    if (at == path && !found.has_value()) found = TrimSpaces(text);
  });
  return whole ? found : std::nullopt;
}

constexpr size_t kFaultCodeBytesMax = 128, kFaultMessageBytesMax = 1024;

std::string Shown(std::string_view text, size_t bytes_max) {
  std::string shown = Printable(text.substr(0, bytes_max));
  if (text.size() > bytes_max) shown += "...";
  return shown;
}

}  // namespace

bool ReadXml(std::string_view xml, FunctionRef<void(std::string_view path, std::string_view text)> on_element) {
  return XmlPass(xml, on_element).Run();
}

std::optional<S3Fault> ReadS3Fault(std::string_view xml) {
  S3Fault fault;
  const bool whole = ReadXml(xml, [&](std::string_view path, std::string_view text) {
    if (path == "Error/Code") fault.code = Shown(TrimSpaces(text), kFaultCodeBytesMax);
    if (path == "Error/Message") fault.message = Shown(TrimSpaces(text), kFaultMessageBytesMax);
  });
  if (!whole || fault.code.empty()) return std::nullopt;
  return fault;
}

std::optional<S3Listing> ReadS3Listing(std::string_view xml) {
  S3Listing listing;
  S3Listing::Object object;
  bool sound = true, encoded = false, truncated = false, is_listing = false;
  const bool whole = ReadXml(xml, [&](std::string_view path, std::string_view text) {
    if (path == "ListBucketResult") is_listing = true;
    if (path == "ListBucketResult/EncodingType") encoded = TrimSpaces(text) == "url";
    if (path == "ListBucketResult/IsTruncated") truncated = TrimSpaces(text) == "true";
    if (path == "ListBucketResult/NextContinuationToken") listing.next = TrimSpaces(text);
    if (path == "ListBucketResult/Contents/Key") object.key = text;
    if (path == "ListBucketResult/Contents/Size") sound = ReadSize(text, object.bytes) && sound;
    if (path == "ListBucketResult/Contents") {
      sound = !object.key.empty() && sound;
      listing.objects.push_back(std::exchange(object, {}));
    }
  });
  if (!whole || !sound || !is_listing) return std::nullopt;
  // The encoding may come after the keys.
  if (encoded) {
    for (S3Listing::Object& listed : listing.objects) listed.key = DecodedKey(listed.key);
  }
  if (!truncated) listing.next.clear();
  if (truncated && listing.next.empty()) return std::nullopt;
  return listing;
}

std::optional<S3Uploads> ReadS3Uploads(std::string_view xml) {
  constexpr std::string_view kRoot = "ListMultipartUploadsResult";
  S3Uploads uploads;
  S3Uploads::Upload upload;
  bool sound = true, encoded = false, truncated = false, is_listing = false;
  const bool whole = ReadXml(xml, [&](std::string_view path, std::string_view text) {
    if (!path.starts_with(kRoot)) return;
    path.remove_prefix(kRoot.size());
    if (path.empty()) is_listing = true;
    if (path == "/EncodingType") encoded = TrimSpaces(text) == "url";
    if (path == "/IsTruncated") truncated = TrimSpaces(text) == "true";
    if (path == "/NextKeyMarker") uploads.next_key = text;
    if (path == "/NextUploadIdMarker") uploads.next_id = TrimSpaces(text);
    if (path == "/Upload/Key") upload.key = text;
    if (path == "/Upload/UploadId") upload.id = TrimSpaces(text);
    if (path == "/Upload") {
      sound = !upload.key.empty() && !upload.id.empty() && sound;
      uploads.uploads.push_back(std::exchange(upload, {}));
    }
  });
  if (!whole || !sound || !is_listing) return std::nullopt;
  if (encoded) {
    for (S3Uploads::Upload& listed : uploads.uploads) listed.key = DecodedKey(listed.key);
    uploads.next_key = DecodedKey(uploads.next_key);
  }
  if (!truncated) uploads.next_key.clear(), uploads.next_id.clear();
  if (truncated && uploads.next_key.empty()) return std::nullopt;
  return uploads;
}

std::optional<std::string> ReadS3UploadId(std::string_view xml) {
  std::optional<std::string> id = TextAt(xml, "InitiateMultipartUploadResult/UploadId");
  if (id.has_value() && id->empty()) return std::nullopt;
  return id;
}

std::optional<std::string> ReadS3CompletedETag(std::string_view xml) {
  return TextAt(xml, "CompleteMultipartUploadResult/ETag");
}

std::string S3CompletionXml(const std::vector<std::string>& etags) {
  std::string xml = "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">";
  for (size_t i = 0; i < etags.size(); ++i) {
    xml.append("<Part><PartNumber>").append(std::to_string(i + 1)).append("</PartNumber><ETag>");
    for (const char c : etags[i]) {
      if (c == '"') {
        xml.append("&quot;");
      } else if (c == '&') {
        xml.append("&amp;");
      } else if (c == '<') {
        xml.append("&lt;");
      } else {
        xml.push_back(c);
      }
    }
    xml.append("</ETag></Part>");
  }
  return xml.append("</CompleteMultipartUpload>");
}

}  // namespace keyfold::transfer
