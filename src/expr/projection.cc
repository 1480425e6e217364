// Parses ProjectionExpression and cuts the named parts out of an item.
#include "expr/projection.h"

#include <algorithm>

#include "expr/expression_parser.h"

namespace keyfold {
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

// Paths that all lead somewhere below one value; `depth` of their steps are taken already.
using LivePaths = std::vector<const Path*>;

void WriteParts(ValueView value, const LivePaths& paths, size_t depth, ValueWriter& writer);

// The paths whose next step is `step`.
template <typename Matches>
LivePaths Narrow(const LivePaths& paths, size_t depth, const Matches& matches) {
  LivePaths narrowed;
  for (const Path* path : paths) {
    if (matches(path->steps[depth])) narrowed.push_back(path);
  }
  return narrowed;
}

void WriteMapParts(ValueView map, const LivePaths& paths, size_t depth, ValueWriter& writer) {
  writer.BeginMap();
  for (const Entry entry : map.entries()) {
    const LivePaths inside = Narrow(paths, depth, [&](const PathStep& step) { return step.name == entry.name; });
    if (inside.empty()) continue;
    writer.Name(entry.name);
    WriteParts(entry.value, inside, depth + 1, writer);
  }
  writer.EndMap();
}

void WriteListParts(ValueView list, const LivePaths& paths, size_t depth, ValueWriter& writer) {
  writer.BeginList();
  uint32_t index = 0, written = 0;
  for (const ValueView value : list.values()) {
    const LivePaths inside = Narrow(paths, depth, [&](const PathStep& step) { return step.index == index; });
    ++index;
    if (inside.empty()) continue;
    ++written;
    WriteParts(value, inside, depth + 1, writer);
  }
  writer.EndList(written);
}

// No two paths overlap, so one that ends here is alone.
void WriteParts(ValueView value, const LivePaths& paths, size_t depth, ValueWriter& writer) {
  if (paths.size() == 1 && paths[0]->steps.size() == depth) return writer.Copy(value);
  value.type() == Type::kM ? WriteMapParts(value, paths, depth, writer) : WriteListParts(value, paths, depth, writer);
}

}  // namespace

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
  return projection;
}

void AppendProjected(const Projection& projection, ItemView item, std::string& out) {
  if (projection.empty()) {
    out += item.bytes();
    return;
  }
  ValueWriter writer(out);
  writer.BeginItem();
  LivePaths inside;
  for (const Entry entry : item.entries()) {
    inside.clear();
    bool whole = false;
    for (const Path& path : projection.paths) {
      if (path.root != entry.name) continue;
      whole = whole || path.steps.empty();
      if (!path.steps.empty() && path.Resolve(item)) inside.push_back(&path);
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
  for (const Path& path : projection.paths) {
    if (std::find(out.begin(), out.end(), path.root) == out.end()) out.push_back(path.root);
  }
}

}  // namespace keyfold
