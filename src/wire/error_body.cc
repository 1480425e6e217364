#include "wire/error_body.h"

#include "base/text/utf8.h"
#include "json/writer.h"
#include "value/error_detail.h"
#include "wire/attribute_value.h"

namespace keyfold::wire {
namespace {

constexpr std::string_view kValidate = "com.amazon.coral.validate#";
constexpr std::string_view kService = "com.amazon.coral.service#";
constexpr std::string_view kDynamo = "com.amazonaws.dynamodb.v20120810#";

// Shown instead of the message of an internal error, which goes to the log.
constexpr std::string_view kInternalMessage = "The request could not be processed because of an internal error";

// Names of the member that holds the message; empty if there is none.
constexpr std::string_view kLower = "message";
constexpr std::string_view kUpper = "Message";

struct Row {
  Kind kind;
  int status;
  std::string_view space;
  std::string_view name;
  std::string_view message_member;
};

// By Kind, in its order.
constexpr Row kRows[] = {
    {Kind::kValidation, 400, kValidate, "ValidationException", kLower},
    {Kind::kSerialization, 400, kService, "SerializationException", kUpper},
    {Kind::kUnknownOperation, 400, kService, "UnknownOperationException", ""},
    {Kind::kMissingAuthenticationToken, 400, kService, "MissingAuthenticationTokenException", kLower},
    {Kind::kIncompleteSignature, 400, kService, "IncompleteSignatureException", kLower},
    {Kind::kInvalidSignature, 400, kService, "InvalidSignatureException", kLower},
    {Kind::kUnrecognizedClient, 400, kService, "UnrecognizedClientException", kLower},
    {Kind::kAccessDenied, 400, kService, "AccessDeniedException", kUpper},
    {Kind::kResourceNotFound, 400, kDynamo, "ResourceNotFoundException", kLower},
    {Kind::kResourceInUse, 400, kDynamo, "ResourceInUseException", kLower},
    {Kind::kTableNotFound, 400, kDynamo, "TableNotFoundException", kLower},
    {Kind::kTableAlreadyExists, 400, kDynamo, "TableAlreadyExistsException", kLower},
    {Kind::kLimitExceeded, 400, kDynamo, "LimitExceededException", kLower},
    {Kind::kConditionalCheckFailed, 400, kDynamo, "ConditionalCheckFailedException", kLower},
    {Kind::kItemCollectionSizeLimitExceeded, 400, kDynamo, "ItemCollectionSizeLimitExceededException", kLower},
    {Kind::kProvisionedThroughputExceeded, 400, kDynamo, "ProvisionedThroughputExceededException", kLower},
    {Kind::kThrottling, 400, kDynamo, "ThrottlingException", kLower},
    {Kind::kTransactionCanceled, 400, kDynamo, "TransactionCanceledException", kUpper},
    {Kind::kTransactionConflict, 400, kDynamo, "TransactionConflictException", kLower},
    {Kind::kTransactionInProgress, 400, kDynamo, "TransactionInProgressException", kUpper},
    {Kind::kIdempotentParameterMismatch, 400, kDynamo, "IdempotentParameterMismatchException", kUpper},
    {Kind::kDuplicateItem, 400, kDynamo, "DuplicateItemException", kLower},
    {Kind::kTrimmedDataAccess, 400, kDynamo, "TrimmedDataAccessException", kLower},
    {Kind::kExpiredIterator, 400, kDynamo, "ExpiredIteratorException", kLower},
    {Kind::kBackupNotFound, 400, kDynamo, "BackupNotFoundException", kLower},
    {Kind::kBackupInUse, 400, kDynamo, "BackupInUseException", kLower},
    {Kind::kTableInUse, 400, kDynamo, "TableInUseException", kLower},
    {Kind::kContinuousBackupsUnavailable, 400, kDynamo, "ContinuousBackupsUnavailableException", kLower},
    {Kind::kPointInTimeRecoveryUnavailable, 400, kDynamo, "PointInTimeRecoveryUnavailableException", kLower},
    {Kind::kInvalidRestoreTime, 400, kDynamo, "InvalidRestoreTimeException", kLower},
    {Kind::kExportNotFound, 400, kDynamo, "ExportNotFoundException", kLower},
    {Kind::kExportConflict, 400, kDynamo, "ExportConflictException", kLower},
    {Kind::kInvalidExportTime, 400, kDynamo, "InvalidExportTimeException", kLower},
    {Kind::kImportNotFound, 400, kDynamo, "ImportNotFoundException", kLower},
    {Kind::kImportConflict, 400, kDynamo, "ImportConflictException", kLower},
    {Kind::kRequestTooLarge, 413, kService, "RequestEntityTooLargeException", kLower},
    {Kind::kInternal, 500, kDynamo, "InternalServerError", kLower},
    {Kind::kUnavailable, 503, kDynamo, "ServiceUnavailableException", kLower},
    // These two never reach a client, unless there is a bug.
    {Kind::kStale, 500, kDynamo, "InternalServerError", kLower},
    {Kind::kWouldBlock, 500, kDynamo, "InternalServerError", kLower},
};

constexpr bool RowsStandByKind() {
  for (size_t i = 0; i < std::size(kRows); ++i) {
    if (static_cast<size_t>(kRows[i].kind) != i) return false;
  }
  return std::size(kRows) == static_cast<size_t>(Kind::kWouldBlock) + 1;
}
static_assert(RowsStandByKind());

void WriteReasons(json::Writer& writer, const CancellationReasons& cancelled) {
  writer.Key("CancellationReasons");
  writer.BeginArray();
  for (const CancellationReasons::Reason& reason : cancelled.reasons) {
    writer.BeginObject();
    writer.Member("Code", reason.code);
    if (reason.item) {
      writer.Key("Item");
      Write(writer, reason.item->view());
    }
    if (!reason.message.empty()) writer.Member("Message", reason.message);
    writer.EndObject();
  }
  writer.EndArray();
}

const Row& RowOf(Kind kind) { return kRows[static_cast<size_t>(kind)]; }

}  // namespace

int HttpStatusOf(Kind kind) { return RowOf(kind).status; }
std::string_view ExceptionNameOf(Kind kind) { return RowOf(kind).name; }

std::optional<Kind> KindOfException(std::string_view name) {
  for (const Row& row : kRows) {
    if (row.name == name) return row.kind;
  }
  return std::nullopt;
}

void AppendErrorBody(std::string& out, const Error& error) {
  const Row& row = RowOf(error.kind());
  json::Writer writer(out);
  writer.BeginObject();
  writer.Key("__type");
  std::string type(row.space);
  writer.String(type.append(row.name));
  const std::string_view message = row.status == 500 ? kInternalMessage : std::string_view(error.message());
  // A message may quote arbitrary bytes of a header.
  if (!row.message_member.empty() && !message.empty()) writer.Member(row.message_member, AsUtf8(message));
  if (const auto* failed = dynamic_cast<const FailedItem*>(error.detail())) {
    writer.Key("Item");
    Write(writer, failed->item.view());
  }
  if (const auto* cancelled = dynamic_cast<const CancellationReasons*>(error.detail())) {
    WriteReasons(writer, *cancelled);
  }
  writer.EndObject();
}

}  // namespace keyfold::wire
