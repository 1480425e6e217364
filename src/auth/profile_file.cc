#include "auth/profile_file.h"

#include <algorithm>

#include "base/read_file.h"

namespace keyfold::auth {
namespace {

constexpr Rule<"line {} is neither a [profile] nor a setting in one"> kNoSetting{"profile-file-setting",
                                                                                 Kind::kValidation};
constexpr Rule<"line {} is not a [profile]"> kNoSection{"profile-file-section", Kind::kValidation};

constexpr size_t kProfileBytesMax = size_t{16} << 20;
constexpr std::string_view kBlanks = " \t\r";

std::string_view TrimmedBlanks(std::string_view s) {
  const size_t first = s.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return s.substr(first, s.find_last_not_of(kBlanks) - first + 1);
}

// Reads the lines in order. Used by one thread at a time.
class ProfileReader {
 public:
  Status Line(std::string_view line, int number) {
    const bool indented = !line.empty() && kBlanks.find(line.front()) != std::string_view::npos;
    line = TrimmedBlanks(line);
    if (line.empty() || line.front() == '#' || line.front() == ';') return Ok();
    if (line.front() == '[') return Section(line, number);
    const size_t equals = line.find('=');
    if (indented && (equals == std::string_view::npos || parent_.empty())) return Ok();  // not a setting of this format
    if (equals == std::string_view::npos || sections_.empty()) return kNoSetting(number);
    const std::string_view name = TrimmedBlanks(line.substr(0, equals));
    const std::string_view value = TrimmedBlanks(line.substr(equals + 1));
    if (!indented) parent_ = name;
    sections_.back().settings.push_back({std::string(name), std::string(value), indented ? parent_ : ""});
    return Ok();
  }

  std::vector<ProfileSection> TakeSections() { return std::move(sections_); }

 private:
  Status Section(std::string_view line, int number) {
    const std::string_view name = line.back() == ']' ? TrimmedBlanks(line.substr(1, line.size() - 2)) : "";
    if (name.empty()) return kNoSection(number);
    sections_.push_back({std::string(name), {}});
    parent_.clear();
    return Ok();
  }

  std::vector<ProfileSection> sections_;
  std::string parent_;  // the last setting that was not nested
};

}  // namespace

const std::string* ProfileSection::Find(std::string_view setting, std::string_view parent) const {
  const auto found = std::find_if(settings.rbegin(), settings.rend(), [&](const ProfileSetting& one) {
    return one.name == setting && one.parent == parent;
  });
  return found == settings.rend() ? nullptr : &found->value;
}

Result<std::vector<ProfileSection>> ParseProfileFile(std::string_view text) {
  ProfileReader reader;
  int number = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    RETURN_IF_ERROR(reader.Line(text.substr(0, end), ++number));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.TakeSections();
}

Result<std::string> ReadProfileFile(const std::string& path) {
  Result<std::string> text = ReadFile(path, kProfileBytesMax);
  if (!text.ok()) return kProfileUnreadable(text.error().message());
  return text;
}

}  // namespace keyfold::auth
