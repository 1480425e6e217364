#include "transfer/bucket/source_fault.h"

#include <memory>

#include "base/background_task.h"
#include "base/log.h"
#include "base/stopping.h"
#include "files/record_file.h"
#include "transfer/bucket/bucket.h"

namespace keyfold::transfer {
namespace {

constexpr Rule<"{}"> kSourceFault{"import-source", Kind::kValidation};
constexpr Rule<"The source could not be read; see the server's log"> kSourceUnreadable{"import-source-unreadable",
                                                                                       Kind::kValidation};

constexpr std::string_view kDamagedCode = "S3ObjectDamaged", kUnreadableCode = "S3ReadFailed";
constexpr std::string_view kUnfitCode = "ExportsDoNotFit";

struct FailureCode final : ErrorDetail {
  explicit FailureCode(std::string text) : code(std::move(text)) {}
  const std::string code;
};

Error WithCode(Error error, std::string_view code) {
  return std::move(error).WithDetail(std::make_unique<FailureCode>(std::string(code)));
}

}  // namespace

Error SourceFault(const Error& error) {
  const std::string_view code = BucketFaultCode(error);
  if (!code.empty()) return WithCode(kSourceFault(error.message()), "S3" + std::string(code));
  if (files::IsDamage(error)) return WithCode(kSourceFault(error.message()), kDamagedCode);
  if (error.kind() == Kind::kValidation) return WithCode(kSourceFault(error.message()), kUnreadableCode);
  if (error.rule() != kStopping.id) LogError("reading the source of an import: {}", error.message());
  return WithCode(kSourceUnreadable(), kUnreadableCode);
}

Error DamagedSource(std::string_view what) { return WithCode(kSourceFault(what), kDamagedCode); }

Error UnfitSource(std::string_view what) { return WithCode(kSourceFault(what), kUnfitCode); }

std::string_view FailureCodeOf(const Error& error) {
  const auto* detail = dynamic_cast<const FailureCode*>(error.detail());
  return detail == nullptr ? std::string_view() : detail->code;
}

}  // namespace keyfold::transfer
