// Errors that a client can cause are values: Error (created only from a Rule, so the wording is next to its check),
// Status and Result<T>. Nothing here throws.
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "base/check.h"

namespace keyfold {

// Determines an error's exception name and HTTP status (the table is in wire/error_body.cc).
enum class Kind : uint8_t {
  kValidation,
  kSerialization,
  kUnknownOperation,
  kMissingAuthenticationToken,
  kIncompleteSignature,
  kInvalidSignature,
  kUnrecognizedClient,
  kAccessDenied,
  kResourceNotFound,
  kResourceInUse,
  kTableNotFound,
  kTableAlreadyExists,
  kLimitExceeded,
  kConditionalCheckFailed,
  kItemCollectionSizeLimitExceeded,
  kProvisionedThroughputExceeded,
  kThrottling,
  kTransactionCanceled,
  kTransactionConflict,
  kTransactionInProgress,
  kIdempotentParameterMismatch,
  kDuplicateItem,
  kTrimmedDataAccess,
  kExpiredIterator,
  kBackupNotFound,
  kBackupInUse,
  kTableInUse,
  kContinuousBackupsUnavailable,
  kPointInTimeRecoveryUnavailable,
  kInvalidRestoreTime,
  kExportNotFound,
  kExportConflict,
  kInvalidExportTime,
  kImportNotFound,
  kImportConflict,
  kRequestTooLarge,
  kInternal,     // disk, corruption, a bug: logged in full, the client sees only one fixed sentence
  kUnavailable,  // overload or shutdown; the client may retry
  // The next two never reach a client.
  kStale,       // the catalog changed since the write was planned: plan again
  kWouldBlock,  // rows are not in memory and the caller may not wait: run again where it may
};

// Text as a template argument, so that a Rule's placeholders are counted at compile time.
template <size_t N>
struct FixedString {
  char text[N]{};
  constexpr FixedString(const char (&s)[N]) {  // NOLINT: implicit by intent
    for (size_t i = 0; i < N; ++i) text[i] = s[i];
  }
  constexpr std::string_view view() const { return {text, N - 1}; }
};

class Error;

// Data beyond the message, for the few errors that need it. Immutable.
struct ErrorDetail {
  virtual ~ErrorDetail() = default;
};

// One failure of a request. Move-only, the size of a pointer, never empty.
class Error {
 public:
  Error(Error&&) noexcept = default;
  Error& operator=(Error&&) noexcept = default;

  Kind kind() const { return rep_->kind; }
  std::string_view rule() const { return rep_->rule; }  // the Rule's id
  const std::string& message() const { return rep_->message; }
  const ErrorDetail* detail() const { return rep_->detail.get(); }

  Error WithDetail(std::unique_ptr<const ErrorDetail> detail) && {
    rep_->detail = std::move(detail);
    return std::move(*this);
  }
  // Prepends context, e.g. "Invalid UpdateExpression: ".
  Error WithPrefix(std::string_view prefix) && {
    rep_->message.insert(0, prefix);
    return std::move(*this);
  }

 private:
  template <FixedString>
  friend struct Rule;
  friend class Status;
  struct Rep {
    Kind kind;
    std::string_view rule;
    std::string message;
    std::unique_ptr<const ErrorDetail> detail;
  };
  Error(Kind kind, std::string_view rule, std::string message)
      : rep_(std::make_unique<Rep>(Rep{kind, rule, std::move(message), nullptr})) {}
  explicit Error(std::unique_ptr<Rep> rep) : rep_(std::move(rep)) {}

  std::unique_ptr<Rep> rep_;
};

inline void AppendArgument(std::string& out, std::string_view s) { out.append(s); }
inline void AppendArgument(std::string& out, char c) { out.push_back(c); }
inline void AppendArgument(std::string& out, std::integral auto n) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, n).ptr;
  out.append(digits, end);
}
// Enums are printed with their own NameOf, found by argument-dependent lookup.
template <typename E>
requires std::is_enum_v<E>
void AppendArgument(std::string& out, E value) { out.append(NameOf(value)); }

// A rule DynamoDB enforces: id, kind and wording, with {} for each argument.
//   inline constexpr Rule<"Type mismatch for key {} expected: {} actual: {}"> kKeyType{"key-type", Kind::kValidation};
//   return kKeyType(name, expected, actual);
template <FixedString Text>
struct Rule {
  std::string_view id;
  Kind kind;

  static constexpr size_t Placeholders() {
    // A hand-written loop: with UBSan, g++ 12 does not accept string_view::find as a constant expression.
    size_t n = 0;
    for (size_t i = 0; Text.text[i] != '\0'; ++i) n += Text.text[i] == '{' && Text.text[i + 1] == '}';
    return n;
  }

  template <typename... Args>
  Error operator()(const Args&... args) const {
    static_assert(sizeof...(Args) == Placeholders(), "a rule takes one argument for each {}");
    std::string message;
    std::string_view rest = Text.view();
    [[maybe_unused]] const auto next = [&](const auto& arg) {
      const size_t at = rest.find("{}");
      message.append(rest.substr(0, at));
      AppendArgument(message, arg);
      rest.remove_prefix(at + 2);
    };
    (next(args), ...);
    message.append(rest);
    return Error(kind, id, std::move(message));
  }
};

// Success, or an error. The size of a pointer, which is null for success.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Error error) : rep_(std::move(error.rep_)) {}  // NOLINT: implicit by intent
  bool ok() const { return rep_ == nullptr; }
  // Requires !ok().
  Kind kind() const {
    CHECK(!ok());
    return rep_->kind;
  }
  const std::string& message() const {
    CHECK(!ok());
    return rep_->message;
  }
  Error TakeError() && {
    CHECK(!ok());
    return Error(std::move(rep_));
  }
  // Copies kind, rule and message, but not the detail.
  Status Clone() const { return ok() ? Status() : Status(Error(rep_->kind, rep_->rule, rep_->message)); }

 private:
  std::unique_ptr<Error::Rep> rep_;
};

inline Status Ok() { return {}; }

// A value, or an error.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT: implicit by intent
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit by intent

  bool ok() const { return state_.index() == 0; }
  T& operator*() & { return Value(); }
  const T& operator*() const& { return const_cast<Result*>(this)->Value(); }
  T&& operator*() && { return std::move(Value()); }
  T* operator->() { return &Value(); }
  const T* operator->() const { return &const_cast<Result*>(this)->Value(); }
  const Error& error() const {
    CHECK(!ok());
    return *std::get_if<1>(&state_);
  }
  Error TakeError() && {
    CHECK(!ok());
    return std::move(*std::get_if<1>(&state_));
  }

 private:
  T& Value() {
    CHECK(ok());
    return *std::get_if<0>(&state_);
  }
  std::variant<T, Error> state_;
};

#define KEYFOLD_CONCAT_INNER(a, b) a##b
#define KEYFOLD_CONCAT(a, b) KEYFOLD_CONCAT_INNER(a, b)

// Returns the error of a Status or Result, if it has one.
#define RETURN_IF_ERROR(expression)                                           \
  do {                                                                        \
    auto&& status_or_error = (expression);                                    \
    if (!status_or_error.ok()) return std::move(status_or_error).TakeError(); \
  } while (false)

// ASSIGN_OR_RETURN(auto x, MakeX());
#define ASSIGN_OR_RETURN(declaration, expression) \
  ASSIGN_OR_RETURN_INNER(KEYFOLD_CONCAT(result_or_error_, __LINE__), declaration, expression)
#define ASSIGN_OR_RETURN_INNER(result, declaration, expression) \
  auto result = (expression);                                   \
  if (!result.ok()) return std::move(result).TakeError();       \
  declaration = *std::move(result)

}  // namespace keyfold
