// Requests about the attached models, below /_keyfold/models. Everyone who may read /metrics can read what the models
// have seen; attaching, detaching and setting the mode require --admin and a request from this machine.
#pragma once

#include <string>
#include <string_view>

#include "server/admin.h"
#include "server/model/attached_models.h"

namespace keyfold::server {

// Thread-safe. The models must outlive it.
class ModelRequests {
 public:
  ModelRequests(AttachedModels& models, model::ObserverOptions defaults, bool admin)
      : models_(models), defaults_(defaults), admin_(admin) {}

  // Whether it is one of these requests. Without --admin and without a model there are none.
  bool Serves(std::string_view method, std::string_view path) const;
  bool Changes(std::string_view method) const { return method != "GET"; }
  // Responds to a request that it serves. `query` may set mode=warn and file=NAME, the name used in messages.
  AdminAnswer Answer(std::string_view method, std::string_view path, std::string_view query, const std::string& body);

  void AppendMetrics(std::string& out) const;

 private:
  AdminAnswer List() const;
  AdminAnswer Report(std::string_view table) const;
  AdminAnswer Attach(std::string_view query, const std::string& body);
  AdminAnswer SetMode(std::string_view table, std::string_view query);

  AttachedModels& models_;
  const model::ObserverOptions defaults_;
  const bool admin_;
};

}  // namespace keyfold::server
