// The head of a request, as the AWS SDKs send it: signed in form and in time, which is what a server in local mode
// asks.
#pragma once

#include <ctime>
#include <string>
#include <string_view>

namespace keyfold::bench {

// Immutable. Good for some minutes from `signed_at`.
class RequestHead {
 public:
  RequestHead(std::string_view host, std::time_t signed_at);

  // A whole request of that operation.
  void AppendRequest(std::string& out, std::string_view operation, std::string_view body) const;

 private:
  std::string before_, after_;  // the operation's name
};

}  // namespace keyfold::bench
