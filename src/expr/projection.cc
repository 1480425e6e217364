// Parses ProjectionExpression and extracts the named parts of an item.
#include "expr/projection.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "base/text/distinct_texts.h"
#include "expr/expression_parser.h"
#include "expr/item_lookup.h"
#include "expr/operand_rules.h"

namespace keyfold::expr {
namespace {

class ProjectionParser : public ExpressionParser {
 public:
  using ExpressionParser::ExpressionParser;

  Result<Projection> Parse() {
    Projection projection;
    const bool whole = ParseList(projection);
    if (whole) {
      std::vector<const Path*> paths;
      for (const Path& path : projection.paths) paths.push_back(&path);
      CheckPathsApart(paths);
      projection.Sort();
    }
    RETURN_IF_ERROR(TakeFault({Fault::kSyntax, Fault::kReserved, Fault::kName, Fault::kOverlap}));
    return projection;
  }

 private:
  [[nodiscard]] bool ParseList(Projection& out) {
    do {
      if (!ParsePath(out.paths.emplace_back())) return false;
    } while (Accept(TokenKind::kComma));
    return At(TokenKind::kEnd) || FailSyntax();
  }
};

// Paths that all lead below one value, in the order of PathPrecedes. The first `depth` of their steps lead to it.
using LivePaths = std::span<const Path* const>;

void WriteParts(ValueView value, LivePaths paths, size_t depth, ValueWriter& writer);

// Removes the paths that match from the front of `paths` and returns them; they are adjacent.
template <typename Matches>
LivePaths TakeMatching(LivePaths& paths, const Matches& matches) {
  size_t n = 0;
  while (n < paths.size() && matches(*paths[n])) ++n;
  const LivePaths taken = paths.first(n);
  paths = paths.subspan(n);
  return taken;
}

// Entries and paths have the same order, so one pass over both is enough.
void WriteMapParts(ValueView map, LivePaths paths, size_t depth, ValueWriter& writer) {
  writer.BeginMap();
  for (const Entry entry : map.entries()) {
    if (paths.empty()) break;
    const LivePaths inside =
        TakeMatching(paths, [&](const Path& path) { return path.steps[depth].name == entry.name; });
    if (inside.empty()) continue;
    writer.Name(entry.name);
    WriteParts(entry.value, inside, depth + 1, writer);
  }
  writer.EndMap();
}

void WriteListParts(ValueView list, LivePaths paths, size_t depth, ValueWriter& writer) {
  writer.BeginList();
  uint32_t index = 0, written = 0;
  for (const ValueView value : list.values()) {
    if (paths.empty()) break;
    const LivePaths inside = TakeMatching(paths, [&](const Path& path) { return path.steps[depth].index == index; });
    ++index;
    if (inside.empty()) continue;
    ++written;
    WriteParts(value, inside, depth + 1, writer);
  }
  writer.EndList(written);
}

// Paths do not overlap, so a path that ends here is the only one.
void WriteParts(ValueView value, LivePaths paths, size_t depth, ValueWriter& writer) {
  if (paths.size() == 1 && paths[0]->steps.size() == depth) return writer.Copy(value);
  value.type() == Type::kM ? WriteMapParts(value, paths, depth, writer) : WriteListParts(value, paths, depth, writer);
}

}  // namespace

void Projection::Sort() {
  sorted.resize(paths.size());
  std::iota(sorted.begin(), sorted.end(), 0u);
  std::sort(sorted.begin(), sorted.end(), [&](uint32_t a, uint32_t b) { return PathPrecedes(&paths[a], &paths[b]); });
}

Result<Projection> ParseProjection(std::string_view text, Placeholders& placeholders) {
  constexpr std::string_view kParameter = "ProjectionExpression";
  if (Status size = CheckExpressionSize(text); !size.ok()) {
    return InvalidExpression(kParameter, std::move(size).TakeError());
  }
  Result<Projection> parsed = ProjectionParser(text, placeholders).Parse();
  if (!parsed.ok()) return InvalidExpression(kParameter, std::move(parsed).TakeError());
  return parsed;
}

Projection ProjectionOfAttributes(const std::vector<std::string>& names) {
  Projection projection;
  for (const std::string& name : names) projection.paths.push_back({name, {}});
  projection.Sort();
  return projection;
}

void AppendProjected(const Projection& projection, ItemView item, std::string& out) {
  if (projection.empty()) {
    out += item.bytes();
    return;
  }
  ValueWriter writer(out);
  writer.BeginItem();
  ItemLookup lookup(item);
  std::vector<const Path*> inside;
  auto next = projection.sorted.begin();
  const auto end = projection.sorted.end();
  const auto order = [&](const Entry& entry) { return projection.paths[*next].root.compare(entry.name); };
  for (const Entry& entry : item.entries()) {
    int compared = -1;
    while (next != end && (compared = order(entry)) < 0) ++next;
    if (next == end) break;
    if (compared > 0) continue;
    inside.clear();
    bool whole = false;
    for (; next != end && order(entry) == 0; ++next) {
      const Path& path = projection.paths[*next];
      whole = whole || path.steps.empty();
      if (!path.steps.empty() && lookup.Resolve(path)) inside.push_back(&path);
    }
    if (!whole && inside.empty()) continue;
    writer.Name(entry.name);
    whole ? writer.Copy(entry.value) : WriteParts(entry.value, inside, 0, writer);
  }
  writer.EndMap();
}

Item Project(const Projection& projection, ItemView item) {
  std::string bytes;
  AppendProjected(projection, item, bytes);
  return Item(std::move(bytes));
}

void CollectAttributes(const Projection& projection, std::vector<std::string_view>& out) {
  DistinctTexts seen;
  for (const Path& path : projection.paths) {
    if (seen.Add(path.root)) out.push_back(path.root);
  }
}

}  // namespace keyfold::expr
