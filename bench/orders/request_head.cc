#include "bench/orders/request_head.h"

#include "bench/orders/order.h"

namespace keyfold::bench {

RequestHead::RequestHead(std::string_view host, std::time_t signed_at) {
  std::tm utc{};
  gmtime_r(&signed_at, &utc);
  char date[32];
  const std::string stamp(date, strftime(date, sizeof date, "%Y%m%dT%H%M%SZ", &utc));
  before_ = "POST / HTTP/1.1\r\nHost: ";
  before_.append(host);
  before_ +=
      "\r\nUser-Agent: aws-sdk-js/3.700.0 ua/2.0 os/linux lang/js md/nodejs#20.11.1 api/dynamodb#3.700.0\r\n"
      "Content-Type: application/x-amz-json-1.0\r\nX-Amz-Date: ";
  before_ += stamp;
  before_ +=
      "\r\namz-sdk-invocation-id: 0d9be9d7-1f0c-4b1e-9d42-6a1a2b3c4d5e\r\namz-sdk-request: attempt=1; max=3\r\n"
      "Authorization: AWS4-HMAC-SHA256 Credential=AKIAKEYFOLDBENCH/";
  before_.append(stamp, 0, 8);
  before_ +=
      "/us-east-1/dynamodb/aws4_request, SignedHeaders=amz-sdk-invocation-id;amz-sdk-request;content-type;host;"
      "x-amz-date;x-amz-target, Signature=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\r\n"
      "X-Amz-Target: DynamoDB_20120810.";
  after_ = "\r\nContent-Length: ";
}

void RequestHead::AppendRequest(std::string& out, std::string_view operation, std::string_view body) const {
  out.append(before_).append(operation).append(after_);
  AppendDecimal(out, body.size());
  out.append("\r\n\r\n").append(body);
}

}  // namespace keyfold::bench
