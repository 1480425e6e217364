// Administrative requests, which steer the database rather than ask it: its clock, and the shards of its streams. For
// tests of programs that use the database; off unless the server was started with --admin, and for this machine only.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "engine/catalog/arn.h"
#include "engine/catalog/database.h"
#include "json/document.h"

namespace keyfold {

struct AdminAnswer {
  int status = 200;
  std::string body;            // JSON if the status is 200, else a line of text
  std::string_view rule = {};  // of the error that it reports, where it has one
};

// Thread-safe. Everything it borrows outlives it.
class Admin {
 public:
  // `finish_due_work` returns once everything that is due at the present database time has been done.
  Admin(const Database& db, const Identity& identity, DatabaseClock& clock, std::function<void()> finish_due_work);

  bool Serves(std::string_view method, std::string_view path) const;
  // Of a request that it serves. May wait, so not on an event loop.
  AdminAnswer Answer(std::string_view method, std::string_view path, const std::string& body);

 private:
  AdminAnswer DescribeClock() const;
  AdminAnswer MoveClock(json::Value request);
  AdminAnswer Split(json::Value request) const;

  const Database db_;
  const Identity& identity_;
  DatabaseClock& clock_;
  const std::function<void()> finish_due_work_;
};

}  // namespace keyfold
