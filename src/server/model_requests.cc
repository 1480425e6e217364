#include "server/model_requests.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "json/writer.h"
#include "model/observe/report.h"

namespace keyfold::server {
namespace {

constexpr std::string_view kPath = "/_keyfold/models";

AdminAnswer NoSuchModel(std::string_view table) {
  return RefuseAdmin(404, fmt::format("No model watches the table {}", table));
}

// The table named after the prefix of the path; empty if there is none.
std::string_view TableOf(std::string_view path) {
  path.remove_prefix(kPath.size());
  return path.empty() ? path : path.substr(1);
}

// Returns "warn" for the name "mode" in "file=shop.yaml&mode=warn".
std::string_view Parameter(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    const std::string_view one = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(one.size() + 1, query.size()));
    if (one.starts_with(name) && one.substr(name.size()).starts_with('=')) return one.substr(name.size() + 1);
  }
  return {};
}

}  // namespace

bool ModelRequests::Serves(std::string_view method, std::string_view path) const {
  if (!path.starts_with(kPath)) return false;
  const std::string_view rest = path.substr(kPath.size());
  if (!rest.empty() && rest[0] != '/') return false;
  if (!admin_ && !models_.Current()) return false;
  return method == "GET" || (admin_ && (method == "POST" || method == "DELETE"));
}

AdminAnswer ModelRequests::Answer(std::string_view method, std::string_view path, std::string_view query,
                                  const std::string& body) {
  const std::string_view table = TableOf(path);
  if (method == "GET") return table.empty() ? List() : Report(table);
  if (method == "POST") return table.empty() ? Attach(query, body) : SetMode(table, query);
  if (table.empty()) return RefuseAdmin(400, "Name the table: DELETE /_keyfold/models/TABLE");
  return models_.Detach(table) ? AdminAnswer{200, "{}"} : NoSuchModel(table);
}

AdminAnswer ModelRequests::List() const {
  AdminAnswer answer;
  json::Writer out(answer.body);
  out.BeginObject();
  out.Key("models");
  out.BeginArray();
  if (const auto models = models_.Current()) {
    for (const auto& [table, observer] : *models) model::AppendSummary(*observer, out.BeginRaw());
  }
  out.EndArray();
  out.EndObject();
  return answer;
}

AdminAnswer ModelRequests::Report(std::string_view table) const {
  const auto models = models_.Current();
  const auto it = models ? models->find(table) : AttachedModels::ByTable::const_iterator();
  if (!models || it == models->end()) return NoSuchModel(table);
  AdminAnswer answer;
  model::AppendReport(*it->second, answer.body);
  return answer;
}

AdminAnswer ModelRequests::Attach(std::string_view query, const std::string& body) {
  model::ObserverOptions options = defaults_;
  if (const std::string_view mode = Parameter(query, "mode"); !mode.empty()) {
    const std::optional<model::ObserveMode> wanted = model::ModeByName(mode);
    if (!wanted) return RefuseAdmin(400, "mode must be observe, warn or enforce");
    options.mode = *wanted;
  }
  const std::string_view file = Parameter(query, "file");
  const Result<std::string> table = models_.Attach(std::string(file.empty() ? "model" : file), body, options);
  return table.ok() ? Report(*table) : RefuseAdmin(400, table.error().message());
}

AdminAnswer ModelRequests::SetMode(std::string_view table, std::string_view query) {
  const std::optional<model::ObserveMode> wanted = model::ModeByName(Parameter(query, "mode"));
  if (!wanted) return RefuseAdmin(400, "mode must be observe, warn or enforce");
  const auto models = models_.Current();
  const auto it = models ? models->find(table) : AttachedModels::ByTable::const_iterator();
  if (!models || it == models->end()) return NoSuchModel(table);
  it->second->set_mode(*wanted);
  return Report(table);
}

void ModelRequests::AppendMetrics(std::string& out) const {
  const auto models = models_.Current();
  if (!models) return;
  std::vector<const model::Observer*> observers;
  for (const auto& [table, observer] : *models) observers.push_back(observer.get());
  model::AppendMetrics(observers, out);
}

}  // namespace keyfold::server
