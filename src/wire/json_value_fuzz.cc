// JSON to value to JSON to value: what decoding accepts is well-formed, and printing and reading it again gives the
// same bytes. The whole input is also decoded as an item and as requests, which must return a result and never crash.
#include <cstdint>
#include <string>

#include "base/check.h"
#include "wire/error_body.h"
#include "wire/requests/batches.h"
#include "wire/requests/items.h"
#include "wire/requests/reads.h"
#include "wire/requests/tables.h"

namespace keyfold::wire {
namespace {

void RoundTrip(json::Value json) {
  Supplied<Value> first;
  if (!DecodeAttributeValue(json, Place::kElement, first).ok() || !first.Check().ok()) return;
  CHECK(IsWellFormedValue(first->view().bytes()));
  std::string printed;
  AppendJson(printed, first->view());

  json::Parser parser;
  const std::optional<json::Value> again = parser.Parse(printed);
  CHECK(again.has_value());
  Supplied<Value> second;
  CHECK(DecodeAttributeValue(*again, Place::kElement, second).ok());
  CHECK(second.Check().ok());
  CHECK(first->view() == second->view());
}

void ReadItem(json::Value json) {
  Supplied<Item> item;
  if (!DecodeItem(json, Place::kMember, item).ok() || !item.Check().ok()) return;
  CHECK(IsWellFormedItem(item->bytes()));
}

template <typename R>
void ReadRequest(json::Value json) {
  const Result<R> request = Decode<R>(json);
  if (request.ok()) return;
  std::string body;
  AppendErrorBody(body, request.error());
  json::Parser parser;
  CHECK(parser.Parse(body).has_value());
}

}  // namespace
}  // namespace keyfold::wire

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace keyfold;
  std::string text(reinterpret_cast<const char*>(data), size);
  // Covers both ways into the parser: with and without the padding that lets it parse in place.
  if (size % 2 == 0) text.reserve(size + json::Parser::kPaddingBytes);
  json::Parser parser;
  const std::optional<json::Value> json = parser.Parse(text);
  if (!json.has_value()) return 0;
  wire::RoundTrip(*json);
  wire::ReadItem(*json);
  wire::ReadRequest<wire::PutItemRequest>(*json);
  wire::ReadRequest<wire::QueryRequest>(*json);
  wire::ReadRequest<wire::BatchWriteItemRequest>(*json);
  wire::ReadRequest<wire::BatchGetItemRequest>(*json);
  wire::ReadRequest<wire::CreateTableRequest>(*json);
  wire::ReadRequest<wire::UpdateTableRequest>(*json);
  return 0;
}
