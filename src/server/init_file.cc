#include "server/init_file.h"

#include <set>

#include "base/log.h"
#include "base/read_file.h"
#include "json/document.h"
#include "json/raw_json.h"
#include "json/writer.h"
#include "ops/operation.h"

namespace keyfold::server {
namespace {

constexpr Rule<"{} cannot be read, or is empty"> kInitUnreadable{"init-unreadable", Kind::kValidation};
constexpr Rule<"{} is not a JSON object"> kInitNotJson{"init-not-json", Kind::kValidation};
constexpr Rule<"{}: \"{}\" is neither \"tables\" nor \"items\""> kInitMember{"init-member", Kind::kValidation};
constexpr Rule<"\"tables\" is not a list"> kTablesNotList{"init-tables-not-list", Kind::kValidation};
constexpr Rule<"a table has no TableName"> kNoTableName{"init-no-table-name", Kind::kValidation};
constexpr Rule<"table {}: {}"> kTableRefused{"init-table-refused", Kind::kValidation};
constexpr Rule<"\"items\" is not an object of lists"> kItemsNotObject{"init-items-not-object", Kind::kValidation};
constexpr Rule<"the items of {} are not a list"> kItemsNotList{"init-items-not-list", Kind::kValidation};
constexpr Rule<"items for {}, which is not a table"> kItemsWithoutTable{"init-items-without-table", Kind::kValidation};
constexpr Rule<"an item of {} is not an object"> kItemNotObject{"init-item-not-object", Kind::kValidation};
constexpr Rule<"an item of {}: {}"> kItemRefused{"init-item-refused", Kind::kValidation};

// `members` are further members of the request, as JSON.
std::string TableRequest(std::string_view table, std::string_view members = {}) {
  std::string body = R"({"TableName":")";
  return body.append(table).append("\"").append(members).append("}");
}

// Loads one file. Names of tables stay as the file writes them. Used by one thread at a time.
class InitFileLoad {
 public:
  explicit InitFileLoad(embedded::LocalCaller& caller) : caller_(caller) {}

  Status CreateTables(std::string_view tables) {
    const auto requests = RawElementsOf(tables);
    if (!requests) return kTablesNotList();
    for (const std::string_view request : *requests) {
      const std::string_view name = FindRaw(request, "TableName").value_or("");
      if (!name.starts_with('"')) return kNoTableName();
      RETURN_IF_ERROR(CreateTable(std::string(name.substr(1, name.size() - 2)), request));
    }
    return Ok();
  }

  // Returns after the items are durable: an existing table is never filled again.
  Status PutItems(std::string_view items) {
    const auto tables = RawMembersOf(items);
    if (!tables) return kItemsNotObject();
    for (const RawMember& table : *tables) {
      const auto list = RawElementsOf(table.value);
      if (!list) return kItemsNotList(table.name);
      if (!Exists(table.name)) return kItemsWithoutTable(table.name);
      if (!created_.contains(table.name)) continue;
      for (const std::string_view item : *list) RETURN_IF_ERROR(PutItem(table.name, item));
    }
    caller_.service().db.store.WaitUntilDurable(horizon_.number());
    return Ok();
  }

  // Removes the tables that were created, so that the next start, with the corrected file, creates and fills them.
  void RemoveTables() {
    for (const std::string& name : created_) {
      const bool unprotected =
          caller_.Call("UpdateTable", TableRequest(name, R"(,"DeletionProtectionEnabled":false)")).ok();
      const bool removed = caller_.Call("DeleteTable", TableRequest(name)).ok();
      if (!unprotected || !removed) LogError("table {} remains, without its items", name);
    }
  }

 private:
  bool Exists(std::string_view table) { return caller_.Call("DescribeTable", TableRequest(table)).ok(); }

  Status CreateTable(const std::string& name, std::string_view request) {
    if (Exists(name)) return Ok();
    const Result<std::string> created = caller_.Call("CreateTable", request);
    if (!created.ok()) return kTableRefused(name, created.error().message());
    created_.insert(name);
    return Ok();
  }

  Status PutItem(std::string_view table, std::string_view item) {
    if (!item.starts_with('{')) return kItemNotObject(table);
    const std::string request = TableRequest(table, std::string(",\"Item\":").append(item));
    const Status put = caller_.Run(put_item_, request, {horizon_, store::Wait::kAllowed}, answer_);
    return put.ok() ? Ok() : Status(kItemRefused(table, put.message()));
  }

  embedded::LocalCaller& caller_;
  const ops::Operation& put_item_ = *ops::FindOperation("PutItem");
  std::set<std::string, std::less<>> created_;
  store::Horizon horizon_;  // covers the items that were put
  std::string answer_;
};

Status LoadText(std::string_view text, InitFileLoad& load) {
  if (const auto tables = FindRaw(text, "tables")) RETURN_IF_ERROR(load.CreateTables(*tables));
  if (const auto items = FindRaw(text, "items")) RETURN_IF_ERROR(load.PutItems(*items));
  return Ok();
}

}  // namespace

Status LoadInitFile(const std::string& path, embedded::LocalCaller& caller) {
  const Result<std::string> text = ReadFile(path, SIZE_MAX - 1);
  if (!text.ok() || text->empty()) return kInitUnreadable(path);
  const auto members = json::Parser().Parse(*text) ? RawMembersOf(*text) : std::nullopt;
  if (!members) return kInitNotJson(path);
  for (const RawMember& member : *members) {
    if (member.name != "tables" && member.name != "items") return kInitMember(path, member.name);
  }
  InitFileLoad load(caller);
  Status status = LoadText(*text, load);
  if (status.ok()) return status;
  load.RemoveTables();
  return std::move(status).TakeError().WithPrefix(path + ": ");
}

}  // namespace keyfold::server
