#include "auth/credentials.h"

#include <errno.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <system_error>

namespace keyfold {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string_view Trimmed(std::string_view s) {
  const size_t first = s.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return s.substr(first, s.find_last_not_of(kBlanks) - first + 1);
}

// One [profile] at a time, entered into the set when the next one begins.
class CredentialsReader {
 public:
  explicit CredentialsReader(std::string& error) : error_(error) {}

  bool Line(std::string_view line, int number) {
    const bool indented = !line.empty() && kBlanks.find(line.front()) != std::string_view::npos;
    line = Trimmed(line);
    if (line.empty() || line.front() == '#' || line.front() == ';') return true;
    if (line.front() == '[') return Section(line, number);
    if (indented) return true;  // a setting nested below another, none of ours
    const size_t equals = line.find('=');
    if (equals == std::string_view::npos || !in_profile_) {
      error_ = "line " + std::to_string(number) + " is neither [profile] nor a setting of one";
      return false;
    }
    Setting(Trimmed(line.substr(0, equals)), Trimmed(line.substr(equals + 1)));
    return true;
  }

  bool EndProfile() {
    Credentials entry = std::move(entry_);
    entry_ = {};
    if (entry.access_key_id.empty() && entry.secret_access_key.empty()) return true;
    if (entry.access_key_id.empty() || entry.secret_access_key.empty()) {
      error_ = "profile " + profile_ + " needs both aws_access_key_id and aws_secret_access_key";
      return false;
    }
    const auto [known, fresh] = set_.try_emplace(entry.access_key_id, entry);
    if (!fresh && known->second.secret_access_key != entry.secret_access_key) {
      error_ = "profile " + profile_ + " repeats an access key id with another secret";
      return false;
    }
    return true;
  }

  CredentialSet TakeSet() { return std::move(set_); }

 private:
  bool Section(std::string_view line, int number) {
    if (!EndProfile()) return false;
    if (line.back() != ']' || Trimmed(line.substr(1, line.size() - 2)).empty()) {
      error_ = "line " + std::to_string(number) + " is no [profile]";
      return false;
    }
    profile_ = Trimmed(line.substr(1, line.size() - 2));
    in_profile_ = true;
    return true;
  }

  void Setting(std::string_view name, std::string_view value) {
    if (name == "aws_access_key_id") entry_.access_key_id = value;
    if (name == "aws_secret_access_key") entry_.secret_access_key = value;
    if (name == "aws_session_token") entry_.session_token = value;
  }

  std::string& error_;
  CredentialSet set_;
  Credentials entry_;
  std::string profile_;
  bool in_profile_ = false;
};

}  // namespace

std::optional<CredentialSet> ParseCredentials(std::string_view text, std::string& error) {
  CredentialsReader reader(error);
  int number = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    if (!reader.Line(text.substr(0, end), ++number)) return std::nullopt;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (!reader.EndProfile()) return std::nullopt;
  CredentialSet set = reader.TakeSet();
  if (set.empty()) {
    error = "it names no credentials";
    return std::nullopt;
  }
  return set;
}

std::optional<CredentialSet> LoadCredentials(const std::string& path, std::string& error) {
  const std::string prefix = "credentials file " + path + ": ";
  struct stat about {};
  std::ifstream file(path, std::ios::binary);
  if (!file || ::stat(path.c_str(), &about) != 0 || !S_ISREG(about.st_mode)) {
    const int why = errno == 0 ? EINVAL : errno;
    error = prefix + "cannot be read: " + std::error_code(why, std::generic_category()).message();
    return std::nullopt;
  }
  if ((about.st_mode & S_IWOTH) != 0) {
    error = prefix + "anybody may write to it; take that right away (chmod o-w)";
    return std::nullopt;
  }
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::string why;
  std::optional<CredentialSet> set = ParseCredentials(text, why);
  if (!set) error = prefix + why;
  return set;
}

}  // namespace keyfold
