// RequestContext: what a request passes to the engine. The store sees only its Access.
#pragma once

#include "store/store.h"

namespace keyfold::engine {

class RequestObserver;

struct RequestContext : store::Access {
  RequestObserver* observer = nullptr;  // null if the request is not observed
};

}  // namespace keyfold::engine
