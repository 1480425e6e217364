// The ends of a copy inside the process, for the duration of a test: databases in memory, and callers with scripted
// responses.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "copy/copy_ends.h"
#include "embedded/embedded_database.h"

namespace keyfold::copy {

// A database that counts its calls and can be made to respond differently. Thread-safe.
class EndForTest final : public client::ApiCaller {
 public:
  // A response that replaces the database's, or nullopt.
  using Instead = std::optional<Result<std::string>>;
  using Interfere = std::function<Instead(std::string_view operation, const std::string& body)>;

  Result<std::string> Call(std::string_view operation, std::string_view request) override {
    const std::string body(request);
    const std::lock_guard lock(mutex_);
    ++calls_[std::string(operation)];
    bodies_.push_back(std::string(operation) + " " + body);
    if (interfere) {
      if (Instead answer = interfere(operation, body)) return *std::move(answer);
    }
    return database_->Call(operation, body);
  }
  std::string Must(std::string_view operation, const std::string& body) {
    const Result<std::string> answer = Call(operation, body);
    EXPECT_TRUE(answer.ok()) << operation << " " << body << ": " << answer.error().message();
    return answer.ok() ? *answer : "{}";
  }
  OpenCaller opener() {
    return [this] { return Result<std::unique_ptr<client::ApiCaller>>(std::make_unique<Line>(*this)); };
  }
  size_t calls(const std::string& operation) { return calls_[operation]; }
  const std::vector<std::string>& bodies() const { return bodies_; }

  Interfere interfere;

 private:
  class Line final : public client::ApiCaller {
   public:
    explicit Line(EndForTest& end) : end_(end) {}
    Result<std::string> Call(std::string_view operation, std::string_view body) override {
      return end_.Call(operation, body);
    }

   private:
    EndForTest& end_;
  };

  std::mutex mutex_;
  const ManualClock clock_{1'714'564'800'000'000};
  const std::unique_ptr<embedded::EmbeddedDatabase> database_ = embedded::EmbeddedDatabase::InMemory(clock_, 1);
  std::map<std::string, size_t> calls_;
  std::vector<std::string> bodies_;
};

}  // namespace keyfold::copy
