#include "auth/sigv4.h"

#include <algorithm>
#include <chrono>

#include "base/text/ascii.h"
#include "base/text/hex.h"

namespace keyfold::auth {
namespace {

constexpr unsigned kYearMin = 1000;  // years have four digits

bool IsUnreserved(char c) { return IsLetterOrDigit(c) || c == '-' || c == '.' || c == '_' || c == '~'; }

// Removes "." and ".." and doubled slashes, and percent-encodes a second time.
void AppendCanonicalPath(std::string& out, std::string_view path) {
  if (path.empty() || path == "/") {
    out.push_back('/');
    return;
  }
  std::vector<std::string_view> segments;
  const bool ends_open = path.back() == '/' || path.ends_with("/.") || path.ends_with("/..");
  while (!path.empty()) {
    const size_t slash = std::min(path.find('/'), path.size());
    const std::string_view segment = path.substr(0, slash);
    path.remove_prefix(std::min(slash + 1, path.size()));
    if (segment == "..") {
      if (!segments.empty()) segments.pop_back();
    } else if (!segment.empty() && segment != ".") {
      segments.push_back(segment);
    }
  }
  for (const std::string_view segment : segments) {
    out.push_back('/');
    AppendPercentEncoded(out, segment, Slash::kEncoded);
  }
  if (segments.empty() || ends_open) out.push_back('/');
}

// Leaves out X-Amz-Signature only if the query carries the signature: a signature in a header covers the whole query.
void AppendCanonicalQuery(std::string& out, std::string_view query, bool carries_signature) {
  if (query.empty()) return;
  std::vector<std::pair<std::string, std::string>> parameters;
  while (!query.empty()) {
    const size_t end = std::min(query.find('&'), query.size());
    const std::string_view parameter = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    if (parameter.empty()) continue;
    const size_t equals = std::min(parameter.find('='), parameter.size());
    const std::string name = PercentDecoded(parameter.substr(0, equals));
    if (carries_signature && name == "X-Amz-Signature") continue;
    auto& entry = parameters.emplace_back();
    AppendPercentEncoded(entry.first, name, Slash::kEncoded);
    if (equals < parameter.size()) {
      AppendPercentEncoded(entry.second, PercentDecoded(parameter.substr(equals + 1)), Slash::kEncoded);
    }
  }
  std::sort(parameters.begin(), parameters.end());
  bool first = true;
  for (const auto& [name, value] : parameters) {
    if (!first) out.push_back('&');
    first = false;
    out.append(name).append("=").append(value);
  }
}

// Trims the value and reduces each run of white space to one space.
void AppendFolded(std::string& out, std::string_view value) {
  const size_t start = out.size();
  bool space = false;
  for (const char c : value) {
    if (c == ' ' || c == '\t') {
      space = true;
      continue;
    }
    if (space && out.size() > start) out.push_back(' ');
    space = false;
    out.push_back(c);
  }
}

// Appends all headers with that name, in order, joined by commas. Returns false if there is none.
bool AppendCanonicalHeader(std::string& out, std::string_view name, std::span<const Header> headers) {
  bool found = false;
  for (const Header& header : headers) {
    if (!EqualsIgnoringCase(header.name, name)) continue;
    out.append(found ? std::string_view(",") : name);
    if (!found) out.push_back(':');
    found = true;
    AppendFolded(out, header.value);
  }
  out.push_back('\n');
  return found;
}

void AppendScope(std::string& out, const Scope& scope) {
  out.append(scope.date).append("/").append(scope.region).append("/").append(scope.service).append("/");
  out.append(kScopeTerminator);
}

std::string Joined(std::span<const std::string_view> names) {
  std::string out;
  for (const std::string_view name : names) {
    if (!out.empty()) out.push_back(';');
    out.append(name);
  }
  return out;
}

}  // namespace

std::optional<std::string> CanonicalRequest(const SignedParts& parts, std::span<const std::string_view> signed_headers,
                                            std::string_view payload_hash) {
  std::string out;
  out.reserve(1024);
  out.append(parts.method).push_back('\n');
  if (parts.path_as_sent) {
    out.append(parts.path);
  } else {
    AppendCanonicalPath(out, parts.path);
  }
  out.push_back('\n');
  const bool carries_signature = std::none_of(parts.headers.begin(), parts.headers.end(), [](const Header& header) {
    return EqualsIgnoringCase(header.name, "Authorization");
  });
  AppendCanonicalQuery(out, parts.query, carries_signature);
  out.push_back('\n');
  for (const std::string_view name : signed_headers) {
    if (!AppendCanonicalHeader(out, name, parts.headers)) return std::nullopt;
  }
  out.push_back('\n');
  out.append(Joined(signed_headers)).push_back('\n');
  out.append(payload_hash);
  return out;
}

Digest SigningKey(const Sha256& sha, std::string_view secret, const Scope& scope) {
  const Digest date = sha.Hmac("AWS4" + std::string(secret), scope.date);
  const Digest region = sha.Hmac(AsBytes(date), scope.region);
  const Digest service = sha.Hmac(AsBytes(region), scope.service);
  return sha.Hmac(AsBytes(service), kScopeTerminator);
}

std::string Signature(const Sha256& sha, const Digest& signing_key, std::string_view amz_date, const Scope& scope,
                      std::string_view canonical_request) {
  std::string to_sign(kSignatureAlgorithm);
  to_sign.append("\n").append(amz_date).append("\n");
  AppendScope(to_sign, scope);
  to_sign.append("\n").append(Hex(sha.Hash({canonical_request})));
  return Hex(sha.Hmac(AsBytes(signing_key), to_sign));
}

AmzDate::AmzDate(int64_t epoch_seconds) {
  const std::chrono::sys_seconds time{std::chrono::seconds(epoch_seconds)};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const auto second = static_cast<unsigned>((time - day).count());
  const auto year = static_cast<unsigned>(static_cast<int>(date.year()));
  const auto put = [this](size_t at, unsigned pair) {
    text_[at] = static_cast<char>('0' + pair / 10 % 10);
    text_[at + 1] = static_cast<char>('0' + pair % 10);
  };
  put(0, year / 100);
  put(2, year % 100);
  put(4, static_cast<unsigned>(date.month()));
  put(6, static_cast<unsigned>(date.day()));
  text_[8] = 'T';
  put(9, second / 3600);
  put(11, second / 60 % 60);
  put(13, second % 60);
  text_[15] = 'Z';
}

std::optional<int64_t> ParseAmzDate(std::string_view text) {
  if (text.size() != 16 || text[8] != 'T' || text[15] != 'Z') return std::nullopt;
  bool digits = true;
  const auto pair = [&](size_t at) {
    const unsigned tens = static_cast<uint8_t>(text[at]) - unsigned{'0'};
    const unsigned ones = static_cast<uint8_t>(text[at + 1]) - unsigned{'0'};
    digits = digits && tens < 10 && ones < 10;
    return tens * 10 + ones;
  };
  const unsigned year = pair(0) * 100 + pair(2), month = pair(4), day = pair(6);
  const unsigned hour = pair(9), minute = pair(11), second = pair(13);
  if (!digits || year < kYearMin || hour > 23 || minute > 59 || second > 59) return std::nullopt;
  const std::chrono::year_month_day date(std::chrono::year(static_cast<int>(year)), std::chrono::month(month),
                                         std::chrono::day(day));
  if (!date.ok()) return std::nullopt;
  const int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  return days * 86'400 + hour * 3600 + minute * 60 + second;
}

std::string PercentDecoded(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    const int high = text[i] == '%' && i + 2 < text.size() ? HexValue(text[i + 1]) : -1;
    const int low = high >= 0 ? HexValue(text[i + 2]) : -1;
    if (low < 0) {
      out.push_back(text[i]);
      continue;
    }
    out.push_back(static_cast<char>(high << 4 | low));
    i += 2;
  }
  return out;
}

void AppendPercentEncoded(std::string& out, std::string_view text, Slash slash) {
  for (const char c : text) {
    if (IsUnreserved(c) || (slash == Slash::kKept && c == '/')) {
      out.push_back(c);
      continue;
    }
    out.push_back('%');
    AppendUpperHex(out, static_cast<uint8_t>(c));
  }
}

std::vector<OwnedHeader> Sign(const SignedParts& parts, const Credentials& credentials, std::string_view region,
                              std::string_view service, Micros now, std::string_view payload_hash) {
  const Sha256 sha;
  const AmzDate date(now / 1'000'000);
  std::vector<OwnedHeader> made{{"X-Amz-Date", std::string(date.text())}};
  if (!credentials.session_token.empty()) made.push_back({"X-Amz-Security-Token", credentials.session_token});

  std::vector<Header> headers(parts.headers.begin(), parts.headers.end());
  for (const OwnedHeader& header : made) headers.push_back({header.name, header.value});
  std::vector<std::string> names;
  for (const Header& header : headers) {
    names.push_back(Lowercase(header.name));
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const std::vector<std::string_view> signed_headers(names.begin(), names.end());

  SignedParts signed_parts = parts;
  signed_parts.headers = headers;
  const std::string hash = payload_hash.empty() ? Hex(sha.Hash({parts.body})) : std::string(payload_hash);
  const std::string canonical = *CanonicalRequest(signed_parts, signed_headers, hash);
  const Scope scope{date.day(), region, service};
  const Digest key = SigningKey(sha, credentials.secret_access_key, scope);

  std::string authorization(kSignatureAlgorithm);
  authorization.append(" Credential=").append(credentials.access_key_id).append("/");
  AppendScope(authorization, scope);
  authorization.append(", SignedHeaders=").append(Joined(signed_headers));
  authorization.append(", Signature=").append(Signature(sha, key, date.text(), scope, canonical));
  made.push_back({"Authorization", std::move(authorization)});
  return made;
}

}  // namespace keyfold::auth
