#include "server/init_file.h"

#include <fmt/format.h>

#include <future>
#include <set>

#include "base/log.h"
#include "base/read_file.h"
#include "engine/items/item_write.h"
#include "json/document.h"
#include "ops/handlers.h"
#include "wire/attribute_value.h"

namespace keyfold::server {
namespace {

std::string CreateTables(json::Value tables, const ops::Service& service, const auth::Authenticated& caller,
                         std::set<std::string>& created) {
  if (!tables.is_array()) return "\"tables\" is not a list";
  for (const json::Value request : tables.elements()) {
    const std::optional<json::Value> name = json::Find(request, "TableName");
    if (!name || !name->is_string()) return "a table has no TableName";
    if (service.db.catalog.Current()->Find(name->AsString())) continue;
    store::Horizon horizon;
    ops::Call call{service, caller, "", {horizon, store::Wait::kAllowed}, {}};
    std::string answer;
    json::Writer writer(answer);
    const Status status = ops::CreateTable(call, request, writer);
    if (!status.ok()) return fmt::format("table {}: {}", name->AsString(), status.message());
    created.emplace(name->AsString());
  }
  return "";
}

std::string PutItem(const std::string& table, json::Value json, const ops::Service& service, store::Horizon& horizon) {
  wire::Supplied<Item> item;
  Status status = wire::DecodeItem(json, wire::Place::kElement, item);
  if (status.ok()) status = item.Check();
  if (!status.ok()) return fmt::format("an item of {}: {}", table, status.message());
  engine::ItemWrite write{.action = engine::ItemWrite::Action::kPut, .table = table, .item = *item};
  engine::WriteOutcome outcome;
  status = engine::WriteItems(service.db, {&write, 1}, {&outcome, 1}, {horizon, store::Wait::kAllowed});
  return status.ok() ? "" : fmt::format("an item of {}: {}", table, status.message());
}

// Returns after the items are durable: an existing table is never filled again.
std::string PutItems(json::Value items, const ops::Service& service, const std::set<std::string>& created) {
  if (!items.is_object()) return "\"items\" is not an object of lists";
  store::Horizon horizon;
  for (const json::Member table : items.members()) {
    if (!table.value.is_array()) return fmt::format("the items of {} are not a list", table.name);
    const std::string name(table.name);
    if (!service.db.catalog.Current()->Find(name)) return fmt::format("items for {}, which is not a table", name);
    if (!created.count(name)) continue;
    for (const json::Value item : table.value.elements()) {
      if (!item.is_object()) return fmt::format("an item of {} is not an object", name);
      if (std::string error = PutItem(name, item, service, horizon); !error.empty()) return error;
    }
  }
  const auto durable = std::make_shared<std::promise<void>>();
  service.db.store.WhenDurable(horizon.number(), [durable] { durable->set_value(); });
  durable->get_future().wait();
  return "";
}

// So that the next start, with the corrected file, creates and fills them.
void RemoveTables(const std::set<std::string>& created, const ops::Service& service) {
  for (const std::string& name : created) {
    const auto unprotect = [](engine::Table& table) {
      table.deletion_protection = false;
      return Ok();
    };
    const Result<engine::TablePtr> unprotected = service.lifecycle.Annotate(name, unprotect);
    const Result<engine::TablePtr> removed = service.lifecycle.Delete(name);
    if (!unprotected.ok() || !removed.ok()) LogError("table {} remains, without its items", name);
  }
}

}  // namespace

std::string LoadInitFile(const std::string& path, const ops::Service& service, const auth::Authenticated& caller) {
  const Result<std::string> text = ReadFile(path, SIZE_MAX - 1);
  if (!text.ok() || text->empty()) return fmt::format("{} cannot be read, or is empty", path);
  json::Parser parser;
  const std::optional<json::Value> root = parser.Parse(*text);
  if (!root || !root->is_object()) return fmt::format("{} is not a JSON object", path);
  for (const json::Member member : root->members()) {
    if (member.name == "tables" || member.name == "items") continue;
    return fmt::format("{}: \"{}\" is neither \"tables\" nor \"items\"", path, member.name);
  }
  std::set<std::string> created;
  std::string error;
  if (const auto tables = json::Find(*root, "tables")) error = CreateTables(*tables, service, caller, created);
  const auto items = json::Find(*root, "items");
  if (error.empty() && items) error = PutItems(*items, service, created);
  if (error.empty()) return "";
  RemoveTables(created, service);
  return fmt::format("{}: {}", path, error);
}

}  // namespace keyfold::server
