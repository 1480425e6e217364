#include "server/model/attached_models.h"

#include <utility>
#include <variant>

#include "model/file/load.h"

namespace keyfold::server {
namespace {

constexpr Rule<"{}"> kModelUnreadable{"model-unreadable", Kind::kValidation};

}  // namespace

Result<std::string> AttachedModels::Attach(const std::string& file, std::string text, model::ObserverOptions options) {
  auto loaded = model::Load(file, std::move(text));
  if (const auto* why = std::get_if<model::Unreadable>(&loaded)) return kModelUnreadable(model::LineOf(file, *why));
  auto observer = std::make_shared<model::Observer>(std::get<model::Model>(std::move(loaded)), options, clock_);
  std::string table = observer->model().table.name;
  MutexLock lock(changing_);
  ByTable models;
  if (const auto before = Current()) models = *before;
  models[table] = std::move(observer);
  Publish(std::move(models));
  return table;
}

bool AttachedModels::Detach(std::string_view table) {
  MutexLock lock(changing_);
  const auto before = Current();
  if (!before || before->find(table) == before->end()) return false;
  ByTable models = *before;
  models.erase(models.find(table));
  Publish(std::move(models));
  return true;
}

std::shared_ptr<const AttachedModels::ByTable> AttachedModels::Cached() const {
  thread_local uint64_t version = 0;
  thread_local std::shared_ptr<const ByTable> models;
  if (const uint64_t now = version_.load(std::memory_order_acquire); now != version) {
    MutexLock lock(mutex_);
    models = current_;
    version = now;
  }
  return models;
}

void AttachedModels::Publish(ByTable models) {
  static std::atomic<uint64_t> versions{0};
  const bool any = !models.empty();
  MutexLock lock(mutex_);
  current_ = std::make_shared<const ByTable>(std::move(models));
  version_.store(versions.fetch_add(1) + 1, std::memory_order_release);
  any_.store(any, std::memory_order_release);
}

}  // namespace keyfold::server
