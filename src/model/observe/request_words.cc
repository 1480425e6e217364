#include "model/observe/request_words.h"

#include <algorithm>
#include <set>

#include "base/text/base64.h"
#include "model/core/unreadable.h"
#include "model/observe/item_judge.h"

namespace keyfold::model {
namespace {

constexpr std::string_view kEllipsis = "…";

// The start of a key up to its first separator. The rest differs in every request.
std::string Start(const Model& model, ValueView value) {
  if (value.tag() != Tag::kS) return std::string(kEllipsis);
  const std::string_view text = value.AsText();
  const size_t at = text.find(model.table.separator);
  if (model.table.separator.empty() || at == std::string_view::npos) return std::string(kEllipsis);
  return Printable(text.substr(0, at + model.table.separator.size())).append(kEllipsis);
}

std::string_view OperatorWords(SortRange::Op op) {
  constexpr std::string_view kWords[] = {"", "begins with", "between", "<", "<=", ">", ">="};
  return kWords[static_cast<size_t>(op)];
}

std::string KeyWords(const Model& model, std::optional<IndexId> index, const ReadShape& shape) {
  std::string out;
  const auto add = [&](const KeySide& side, size_t i, std::string_view op, ValueView value) {
    out += out.empty() ? "" : ", ";
    out.append(i < side.size() ? std::string_view(side[i]) : "?").append(" ").append(op).append(" ");
    out += Start(model, value);
  };
  const KeySide& pk = model.PartitionKey(index);
  const KeySide& sk = model.SortKey(index);
  for (size_t i = 0; i < shape.partition.size(); ++i) add(pk, i, "=", shape.partition[i]);
  for (size_t i = 0; i < shape.sort_equal.size(); ++i) add(sk, i, "=", shape.sort_equal[i]);
  if (shape.op != SortRange::Op::kNone) add(sk, shape.sort_equal.size(), OperatorWords(shape.op), shape.low);
  return out;
}

std::string_view WordOf(Verb verb) {
  switch (verb) {
    case Verb::kPut:
      return "put ";
    case Verb::kUpdate:
      return "update ";
    case Verb::kDelete:
      return "delete ";
    default:
      return "check ";
  }
}

// The attributes that an update names, each once.
std::set<std::string_view> ChangedBy(const expr::Update& update) {
  std::set<std::string_view> names;
  for (const expr::Update::Set& set : update.sets) names.insert(set.path.root);
  for (const expr::Path& path : update.removes) names.insert(path.root);
  for (const auto* changes : {&update.adds, &update.deletes}) {
    for (const expr::Update::Change& change : *changes) names.insert(change.path.root);
  }
  return names;
}

std::string List(std::string out, const std::set<std::string>& things, bool known) {
  std::string_view between = out.find(' ') == std::string::npos ? ": " : " ";
  for (const std::string& thing : things) {
    out.append(between).append(thing);
    between = ", ";
  }
  if (!known) out.append(between).append("items of no entity");
  return out;
}

}  // namespace

std::string QueryWords(const Model& model, std::string_view index, const ReadShape& shape) {
  if (!index.empty() && !shape.index) return std::string("Query ").append(index) + ", which the model does not have";
  std::string out = "Query";
  if (!index.empty()) out.append(" ").append(index);
  return out + ": " + KeyWords(model, shape.index, shape);
}

std::string GetWords(const Model& model, const ReadShape& shape) {
  return "GetItem: " + KeyWords(model, std::nullopt, shape);
}

std::string ScanWords(std::string_view index) {
  return index.empty() ? std::string("Scan") : std::string("Scan ").append(index);
}

std::string KeysWords(const Model& model, Operation operation, std::span<const EntityId> entities, bool known) {
  std::set<std::string> names;
  for (const EntityId id : entities) names.insert(model.entities[id].name);
  return List(std::string(NameOf(operation)), names, known);
}

std::string WritesWords(const Model& model, Operation operation, std::span<const WriteShape> shapes, bool known) {
  std::set<std::string> things;
  for (const WriteShape& shape : shapes) {
    std::string thing = std::string(WordOf(shape.verb)) + model.entities[shape.entity].name;
    std::string changed;
    if (shape.update) {
      for (const std::string_view name : ChangedBy(*shape.update)) changed.append(" ").append(name);
    }
    if (!changed.empty()) thing.append(" (").append(changed.substr(1)).append(")");
    things.insert(std::move(thing));
  }
  return List(std::string(NameOf(operation)), things, known);
}

void AppendKeyText(std::span<const ValueView> values, std::string& out) {
  if (values.size() == 1 && values[0].tag() == Tag::kS) return void(out.append(values[0].AsText()));
  for (size_t i = 0; i < values.size(); ++i) {
    if (i != 0) out += ", ";
    std::string room;
    const std::string_view text = ScalarText(values[i], room);
    values[i].tag() == Tag::kB ? AppendBase64(out, text) : void(out.append(text));
  }
}

}  // namespace keyfold::model
