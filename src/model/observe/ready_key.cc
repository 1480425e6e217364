#include "model/observe/ready_key.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/check.h"

namespace keyfold::model {

ReadyKey::ReadyKey(Template whole) : whole_(std::move(whole)) {
  CHECK(whole_.parts.size() <= kKeyPartsMax);
  for (size_t part = 0; part < whole_.parts.size(); ++part) {
    const TemplatePart& one = whole_.parts[part];
    const bool text = !one.IsLiteral() && one.alphabet == Alphabet::kText && one.values.empty();
    steps_.push_back({ExtentOf(whole_, part), text && whole_.separator.size() == 1});
    is_open_ = is_open_ || steps_.back().extent.kind == Extent::Kind::kOpen;
  }
  literal_ = whole_.LeadingLiteral();
  const size_t behind = literal_.empty() ? 0 : 1;
  literal_is_all_ = steps_.size() == behind;
  one_text_follows_ = steps_.size() == behind + 1 && steps_.back().plain;
}

bool ReadyKey::ReadsWhole(std::string_view text) const {
  thread_local KeyParts parts;
  return Read(text, parts);
}

bool ReadyKey::PartFits(size_t part, std::string_view text) const {
  if (!steps_[part].plain) return model::Fits(whole_.parts[part], whole_.separator, text);
  return !text.empty() && std::memchr(text.data(), whole_.separator[0], text.size()) == nullptr;
}

bool ReadyKey::Read(std::string_view text, KeyParts& out) const {
  if (is_open_) return TryOut(text, out);
  const char* at = text.data();
  const char* const text_end = at + text.size();
  for (size_t part = 0; part < steps_.size(); ++part) {
    const Extent& extent = steps_[part].extent;
    const auto left = static_cast<size_t>(text_end - at);
    size_t bytes = extent.width;
    switch (extent.kind) {
      case Extent::Kind::kLiteral:
        if (bytes > left || std::memcmp(at, whole_.parts[part].text.data(), bytes) != 0) return false;
        break;
      case Extent::Kind::kWidth:
        if (bytes > left || !PartFits(part, {at, bytes})) return false;
        break;
      case Extent::Kind::kRest:
        bytes = left;
        if (!PartFits(part, {at, bytes})) return false;
        break;
      default: {
        const void* const end = left == 0 ? nullptr : std::memchr(at, extent.end, left);
        if (!end) return false;
        bytes = static_cast<size_t>(static_cast<const char*>(end) - at);
        // The text ends at the first separator, so it contains none.
        if (steps_[part].plain ? bytes == 0 : !PartFits(part, {at, bytes})) return false;
      }
    }
    out[part] = {at, bytes};
    at += bytes;
  }
  return at == text_end;
}

bool ReadyKey::TryOut(std::string_view text, KeyParts& out) const {
  thread_local std::vector<std::string_view> parts;
  if (!ReadKey(whole_, text, parts)) return false;
  std::copy(parts.begin(), parts.end(), out.begin());
  return true;
}

}  // namespace keyfold::model
