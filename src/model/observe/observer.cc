#include "model/observe/observer.h"

#include <utility>

namespace keyfold::model {
namespace {

constexpr std::string_view kModeNames[] = {"observe", "warn", "enforce"};

}  // namespace

std::string_view NameOf(ObserveMode mode) { return kModeNames[static_cast<size_t>(mode)]; }

std::optional<ObserveMode> ModeByName(std::string_view name) {
  for (const ObserveMode mode : {ObserveMode::kObserve, ObserveMode::kWarn, ObserveMode::kEnforce}) {
    if (NameOf(mode) == name) return mode;
  }
  return std::nullopt;
}

Observer::Observer(Model model, ObserverOptions options, const Clock& clock)
    : model_(std::move(model)),
      options_(options),
      clock_(clock),
      since_(clock.Now()),
      judge_(model_),
      patterns_(model_),
      plan_(MakePlan(model_, BuiltInPrices(model_.table.region).value_or(PriceFile()),
                     {.free_tier = false, .now_ms = clock.Now() / 1000})),
      mode_(options.mode),
      ledger_(model_.patterns.size(), model_.entities.size(), model_.indexes.size() + 1) {}

}  // namespace keyfold::model
