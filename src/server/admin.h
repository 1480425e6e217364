// Administrative requests, which control the database rather than query it: its clock, and the shards of its streams.
// Meant for tests of programs that use the database; off unless the server was started with --admin, and only for this
// machine.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "engine/catalog/arn.h"
#include "engine/catalog/database.h"
#include "json/document.h"

namespace keyfold::server {

struct AdminAnswer {
  int status = 200;
  std::string body;            // JSON if the status is 200, otherwise a line of text
  std::string_view rule = {};  // id of the reported error's Rule, if it has one
};

AdminAnswer RefuseAdmin(int status, std::string_view why);

// Thread-safe. Everything it borrows must outlive it.
class Admin {
 public:
  // `finish_due_work` returns when everything due at the current database time has been done.
  Admin(const engine::Database& db, const engine::Identity& identity, DatabaseClock& clock,
        std::function<void()> finish_due_work);

  bool Serves(std::string_view method, std::string_view path) const;
  // Responds to a request that it serves. May wait, so do not call it on an event loop.
  AdminAnswer Answer(std::string_view method, std::string_view path, const std::string& body);

 private:
  AdminAnswer DescribeClock() const;
  AdminAnswer MoveClock(json::Value request);
  AdminAnswer Split(json::Value request) const;

  const engine::Database db_;
  const engine::Identity& identity_;
  DatabaseClock& clock_;
  const std::function<void()> finish_due_work_;
};

}  // namespace keyfold::server
