// FunctionRef: a borrowed callable of two pointers, without allocation. It must not outlive the callable it was made
// from, so it is for parameters only.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace keyfold {

template <typename Signature>
class FunctionRef;

template <typename Return, typename... Args>
class FunctionRef<Return(Args...)> {
 public:
  template <typename F, typename = std::enable_if_t<!std::is_same_v<std::decay_t<F>, FunctionRef>>>
  FunctionRef(F&& f)  // NOLINT: implicit by intent, as a lambda at the call site is the use
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(f)))),
        call_([](void* object, Args... args) -> Return {
          return (*static_cast<std::add_pointer_t<std::remove_reference_t<F>>>(object))(std::forward<Args>(args)...);
        }) {}

  Return operator()(Args... args) const { return call_(object_, std::forward<Args>(args)...); }

 private:
  void* object_;
  Return (*call_)(void*, Args...);
};

}  // namespace keyfold
