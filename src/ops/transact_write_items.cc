// TransactWriteItems: up to 100 puts, updates, deletes and condition checks, all or nothing.
#include <algorithm>
#include <vector>

#include "base/bytes.h"
#include "engine/items/cancellation.h"
#include "engine/items/item_write.h"
#include "ops/consumed.h"
#include "ops/handlers.h"
#include "ops/parameters.h"
#include "wire/requests/transactions.h"

namespace keyfold::ops {
namespace {

constexpr Rule<"Invalid Request: TransactWriteRequest should contain Delete or Put or Update request"> kNoAction{
    "transaction-no-action", Kind::kValidation};
constexpr Rule<"TransactItems can only contain one of Check, Put, Update or Delete"> kSeveralActions{
    "transaction-several-actions", Kind::kValidation};

// One action of the request, whichever of the four kinds it is. Borrows.
struct Action {
  engine::ItemWrite::Action kind = engine::ItemWrite::Action::kPut;
  std::string_view table_name;
  const wire::Supplied<Item>* item = nullptr;  // a Put's item, else the key
  std::optional<std::string_view> update = {}, condition = {};
  const std::optional<wire::ExpressionAttributeNames>* names = nullptr;
  const std::optional<wire::ExpressionAttributeValues>* values = nullptr;
  bool failed_item = false;
};

// The action, parsed.
struct ParsedAction {
  std::string table;
  std::optional<expr::Update> update;
  std::optional<expr::Condition> condition;
};

std::optional<std::string_view> ViewOf(const std::string& text) { return text; }
std::optional<std::string_view> ViewOf(const std::optional<std::string>& text) { return text; }

template <typename R>
Action ActionOf(engine::ItemWrite::Action kind, const R& r, const wire::Supplied<Item>& item) {
  Action action{.kind = kind, .table_name = r.table_name, .item = &item};
  action.condition = ViewOf(r.condition_expression);
  action.names = &r.expression_attribute_names;
  action.values = &r.expression_attribute_values;
  action.failed_item = r.return_values_on_condition_check_failure == wire::ReturnValuesOnConditionCheckFailure::kAllOld;
  return action;
}

Result<Action> TheOneAction(const wire::TransactWriteItem& item) {
  const int given =
      item.condition_check.has_value() + item.put.has_value() + item.remove.has_value() + item.update.has_value();
  if (given == 0) return kNoAction();
  if (given > 1) return kSeveralActions();
  using Kind = engine::ItemWrite::Action;
  if (item.condition_check) return ActionOf(Kind::kCheck, *item.condition_check, item.condition_check->key);
  if (item.put) return ActionOf(Kind::kPut, *item.put, item.put->item);
  if (item.remove) return ActionOf(Kind::kDelete, *item.remove, item.remove->key);
  Action update = ActionOf(Kind::kUpdate, *item.update, item.update->key);
  update.update = item.update->update_expression;
  return update;
}

Result<std::vector<Action>> ActionsOf(const wire::TransactWriteItemsRequest& r) {
  std::vector<Action> actions;
  actions.reserve(r.transact_items.size());
  for (const wire::TransactWriteItem& item : r.transact_items) {
    ASSIGN_OR_RETURN(Action action, TheOneAction(item));
    actions.push_back(action);
  }
  return actions;
}

Status ActionParametersDoNotMix(const Action& action) {
  if (action.kind == engine::ItemWrite::Action::kUpdate) {
    return ParametersDoNotMix({{"UpdateExpression", true}, {"ConditionExpression", action.condition.has_value()}}, {},
                              *action.names, action.values);
  }
  return ParametersDoNotMix({{"ConditionExpression", action.condition.has_value()}}, {}, *action.names, action.values);
}

Result<ParsedAction> ParseAction(const engine::Identity& identity, const Action& action) {
  RETURN_IF_ERROR(ActionParametersDoNotMix(action));
  RETURN_IF_ERROR(action.item->Check());
  if (!(*action.item)->empty())
    RETURN_IF_ERROR(wire::AttributeNameIsGiven((*(*action.item)->view().entries().begin()).name));
  ASSIGN_OR_RETURN(expr::Placeholders placeholders, PlaceholdersOf(*action.names, action.values));
  ParsedAction parsed;
  if (action.update) {
    ASSIGN_OR_RETURN(parsed.update, expr::ParseUpdate(*action.update, placeholders));
  }
  if (action.condition) {
    ASSIGN_OR_RETURN(parsed.condition, expr::ParseCondition("ConditionExpression", *action.condition, placeholders));
  }
  RETURN_IF_ERROR(placeholders.AllUsed());
  ASSIGN_OR_RETURN(parsed.table, engine::TableNameOf(identity, action.table_name));
  return parsed;
}

// Limits the size of the request, not of its effects: a small request may remove large items.
Status ActionsFit(const std::vector<Action>& actions) {
  size_t bytes = 0;
  for (const Action& action : actions) {
    bytes += ItemSize(**action.item);
    if (!*action.values) continue;
    for (const auto& [name, value] : **action.values) bytes += ValueSize(*value);
  }
  return engine::TransactionFits(bytes);
}

void AppendOptional(std::string& out, std::optional<std::string_view> part) {
  out.push_back(part ? '+' : '-');
  if (part) AppendString(out, *part);
}

// The order of names and values has no meaning, and some clients vary it from request to request.
template <typename T, typename BytesOf>
void AppendSorted(std::string& out, const std::optional<wire::OrderedMap<T>>& map, BytesOf bytes_of) {
  std::vector<std::pair<std::string_view, std::string_view>> sorted;
  if (map) {
    for (const auto& [name, value] : *map) sorted.emplace_back(name, bytes_of(value));
  }
  std::sort(sorted.begin(), sorted.end());
  AppendVarint(out, sorted.size());
  for (const auto& [name, value] : sorted) {
    AppendString(out, name);
    AppendString(out, value);
  }
}

// What a token is compared by: everything except ReturnConsumedCapacity and ReturnItemCollectionMetrics.
std::string MeaningOfActions(const std::vector<Action>& actions, const std::vector<ParsedAction>& parsed) {
  std::string out = "TransactWriteItems";
  for (size_t i = 0; i < actions.size(); ++i) {
    const Action& action = actions[i];
    out.push_back(static_cast<char>(action.kind));
    out.push_back(static_cast<char>(action.failed_item));
    AppendString(out, parsed[i].table);
    AppendString(out, (*action.item)->bytes());
    AppendOptional(out, action.update);
    AppendOptional(out, action.condition);
    AppendSorted(out, *action.names, [](const std::string& name) { return std::string_view(name); });
    AppendSorted(out, *action.values, [](const wire::Supplied<Value>& value) { return value->view().bytes(); });
  }
  return out;
}

std::vector<engine::ItemWrite> WritesOf(const std::vector<Action>& actions, const std::vector<ParsedAction>& parsed) {
  std::vector<engine::ItemWrite> writes;
  writes.reserve(actions.size());
  for (size_t i = 0; i < actions.size(); ++i) {
    engine::ItemWrite write{.action = actions[i].kind, .table = parsed[i].table, .item = **actions[i].item};
    write.condition = parsed[i].condition ? &*parsed[i].condition : nullptr;
    write.update = parsed[i].update ? &*parsed[i].update : nullptr;
    write.failed_item = actions[i].failed_item;
    writes.push_back(write);
  }
  return writes;
}

void WriteActionCollections(json::Writer& out, const std::vector<Action>& actions,
                            const std::vector<engine::WriteOutcome>& outcomes) {
  const auto has = [&](size_t i) {
    return actions[i].kind != engine::ItemWrite::Action::kCheck && outcomes[i].collection_bytes.has_value();
  };
  std::vector<store::TableId> done;
  out.Key("ItemCollectionMetrics");
  out.BeginObject();
  for (size_t i = 0; i < actions.size(); ++i) {
    const store::TableId table = outcomes[i].table->id;
    if (!has(i) || std::find(done.begin(), done.end(), table) != done.end()) continue;
    done.push_back(table);
    out.Key(actions[i].table_name);
    out.BeginArray();
    for (size_t j = i; j < actions.size(); ++j) {
      if (has(j) && outcomes[j].table->id == table) WriteCollectionMetrics(out, outcomes[j], **actions[j].item);
    }
    out.EndArray();
  }
  out.EndObject();
}

}  // namespace

Status TransactWriteItems(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const wire::TransactWriteItemsRequest r, wire::Decode<wire::TransactWriteItemsRequest>(request));
  ASSIGN_OR_RETURN(const std::vector<Action> actions, ActionsOf(r));
  std::vector<ParsedAction> parsed;
  for (const Action& action : actions) {
    ASSIGN_OR_RETURN(ParsedAction one, ParseAction(call.service.identity, action));
    parsed.push_back(std::move(one));
  }
  RETURN_IF_ERROR(ActionsFit(actions));
  std::optional<engine::RequestToken> token;
  if (r.client_request_token) token.emplace(*r.client_request_token, MeaningOfActions(actions, parsed));
  std::vector<engine::WriteOutcome> outcomes(actions.size());
  ASSIGN_OR_RETURN(const engine::Applied applied,
                   engine::WriteTransaction(call.service.db, WritesOf(actions, parsed), outcomes,
                                            token ? &*token : nullptr, call.access));

  answer.BeginObject();
  std::vector<ActionUnits> units;
  for (size_t i = 0; i < actions.size(); ++i) {
    units.push_back({actions[i].table_name, outcomes[i].table.get(), &outcomes[i].units});
  }
  ReportTransaction(call, answer, r.return_consumed_capacity, units,
                    applied == engine::Applied::kReplay ? UnitsAre::kReads : UnitsAre::kWrites);
  if (r.return_item_collection_metrics == wire::ReturnItemCollectionMetrics::kSize)
    WriteActionCollections(answer, actions, outcomes);
  answer.EndObject();
  return Ok();
}

}  // namespace keyfold::ops
