// The plan as one page for a review: no scripts, no external resources, light and dark by the reader's setting,
// printable. Charts are SVG. All text from the model is escaped.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text/utf8.h"
#include "model/core/figures.h"
#include "model/plan/plan_steps.h"
#include "model/plan/report.h"

namespace keyfold::model {
namespace {

constexpr std::string_view kStyle = R"css(
:root{color-scheme:light dark;--ink:#1c2330;--soft:#5b6577;--line:#d9dee7;--paper:#fff;--panel:#f5f7fa;
--read:#2f6fde;--write:#d9822b;--good:#2d8a4e;--bad:#c23030}
@media(prefers-color-scheme:dark){:root{--ink:#e6e9ef;--soft:#9aa5b8;--line:#333c4d;--paper:#14181f;--panel:#1c222c;
--read:#6fa3ff;--write:#f0a557;--good:#62c584;--bad:#ff7b72}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1100px;padding:2rem 1.25rem;background:var(--paper);color:var(--ink);
font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
h1{font-size:1.6rem;margin:0 0 .25rem}h2{font-size:1.15rem;margin:2.25rem 0 .6rem;break-after:avoid}
p{margin:.3rem 0}.soft{color:var(--soft)}
code{font:13px/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:break-word}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:.75rem;margin:1.25rem 0}
.card{background:var(--panel);border:1px solid var(--line);border-radius:8px;padding:.75rem .9rem}
.card b{display:block;font-size:1.35rem;font-variant-numeric:tabular-nums}.card span{color:var(--soft);font-size:.85rem}
.scroll{overflow-x:auto;margin:.6rem 0}
table{border-collapse:collapse;width:100%;font-size:.88rem}
th,td{text-align:left;padding:.35rem .55rem;border-bottom:1px solid var(--line);vertical-align:top}
th{color:var(--soft);font-weight:600}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
tr{break-inside:avoid}
svg{width:100%;height:auto;display:block}
svg text{fill:var(--ink);font:12px system-ui,sans-serif}svg .soft{fill:var(--soft)}
.read{fill:var(--read)}.write{fill:var(--write)}.good{fill:var(--good)}.bad{fill:var(--bad)}.rule{stroke:var(--line)}
.tag{display:inline-block;border-radius:4px;padding:0 .4rem;font-size:.78rem;border:1px solid var(--line)}
.tag.bad{color:var(--bad);border-color:var(--bad)}
li{margin:.2rem 0}article+article{margin-top:4rem;border-top:1px solid var(--line);padding-top:2rem}
@media print{body{max-width:none;padding:0;font-size:11px}.card{break-inside:avoid}}
)css";

std::string HtmlEscaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

// Text from the model: makes control characters and bidirectional marks visible, then escapes it.
std::string Safe(std::string_view text) { return HtmlEscaped(Printable(text)); }

std::string CodeElement(std::string_view text) { return "<code>" + Safe(text) + "</code>"; }

// Shortens a label to what fits next to a bar.
std::string Shortened(std::string_view text) {
  constexpr size_t kCharactersMax = 44;
  if (CountCharacters(text) <= kCharactersMax) return std::string(text);
  size_t bytes = 0;
  for (size_t left = kCharactersMax - 1; left > 0; --left) {
    do ++bytes;
    while ((static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80);
  }
  return std::string(text.substr(0, bytes)) + "…";
}

struct Bar {
  std::string label;
  std::vector<std::pair<std::string_view, double>> parts;  // class and value
  std::string value;
};

// Horizontal bars. With `root`, lengths are square roots, so that small figures remain visible next to large ones.
std::string BarChart(std::string_view title, const std::vector<Bar>& bars, double whole, bool root) {
  constexpr double kLeft = 300, kWidth = 470, kRow = 24;
  const double height = kRow * static_cast<double>(bars.size()) + 6;
  const auto length = [&](double value) {
    const double share = whole > 0 ? std::clamp(value / whole, 0.0, 1.0) : 0;
    return kWidth * (root ? std::sqrt(share) : share);
  };
  // The aria-label repeats the figures for screen readers.
  std::string reported(title);
  for (const Bar& bar : bars)
    reported += fmt::format("{} {}: {}", &bar == bars.data() ? ":" : ";", bar.label, bar.value);
  std::string svg =
      fmt::format("<svg viewBox=\"0 0 1000 {:.0f}\" role=\"img\" aria-label=\"{}\">\n", height, Safe(reported));
  double y = 3;
  for (const Bar& bar : bars) {
    svg += fmt::format("<text x=\"{}\" y=\"{:.0f}\" text-anchor=\"end\">{}</text>", kLeft - 8, y + 15,
                       Safe(Shortened(bar.label)));
    double sum = 0;
    for (const auto& [name, value] : bar.parts) {
      const double from = length(sum);
      sum += value;
      const double wide = std::max(length(sum) - from, value > 0 ? 1.0 : 0.0);
      svg += fmt::format("<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.0f}\" width=\"{:.1f}\" height=\"{}\" rx=\"2\"/>", name,
                         kLeft + from, y + 2, wide, kRow - 8);
    }
    svg += fmt::format("<text class=\"soft\" x=\"{:.1f}\" y=\"{:.0f}\">{}</text>\n", kLeft + length(sum) + 8, y + 15,
                       Safe(bar.value));
    y += kRow;
  }
  return svg + "</svg>\n";
}

struct Column {
  std::string_view head;
  bool number = false;
};

// Cells contain HTML.
class HtmlTable {
 public:
  explicit HtmlTable(std::vector<Column> columns) : columns_(std::move(columns)) {
    html_ = "<div class=\"scroll\"><table><thead><tr>";
    for (const Column& column : columns_) html_ += Cell("th", column, std::string(column.head));
    html_ += "</tr></thead><tbody>\n";
  }
  void Add(const std::vector<std::string>& cells) {
    html_ += "<tr>";
    for (size_t i = 0; i < cells.size(); ++i) html_ += Cell("td", columns_[i], cells[i]);
    html_ += "</tr>\n";
  }
  std::string Finish() { return std::move(html_) + "</tbody></table></div>\n"; }

 private:
  static std::string Cell(std::string_view tag, const Column& column, const std::string& html) {
    return fmt::format("<{}{}{}>{}</{}>", tag, tag == "th" ? " scope=\"col\"" : "", column.number ? " class=\"n\"" : "",
                       html, tag);
  }
  std::vector<Column> columns_;
  std::string html_;
};

// Used by one thread at a time.
class HtmlReport {
 public:
  explicit HtmlReport(const PlannedFile& file)
      : plan_(*file.plan), model_(*file.plan->model), findings_(file.findings) {}

  std::string Write() {
    Head();
    Remarks();
    Findings();
    CostChart();
    Patterns();
    Modes();
    Storage();
    Collections();
    Heat();
    Indexes();
    Alternatives();
    Rules();
    return std::move(out_);
  }

 private:
  void Title(std::string_view title) { out_ += fmt::format("<h2>{}</h2>\n", title); }
  void Card(std::string_view what, const std::string& value) {
    out_ += fmt::format("<div class=\"card\"><b>{}</b><span>{}</span></div>\n", HtmlEscaped(value), what);
  }

  void Head() {
    const PriceFile& prices = plan_.prices;
    out_ += fmt::format("<h1>{}</h1>\n<p class=\"soft\">{} &middot; {} &middot; {} &middot; {}</p>\n",
                        Safe(model_.table.name), Safe(model_.file),
                        model_.table.billing == BillingMode::kOnDemand ? "on-demand" : "provisioned",
                        ClassName(model_.table.table_class), Safe(model_.table.region));
    out_ += fmt::format("<p class=\"soft\">Prices: {}, effective {}, {} {}, {} h per month{}</p>\n", Safe(prices.name),
                        Safe(prices.effective.empty() ? "unknown" : prices.effective), DateWord(prices),
                        Safe(prices.Date()), NumberText(prices.month_hours),
                        plan_.options.free_tier ? ", with the free tier" : "");
    out_ += "<div class=\"cards\">\n";
    Card("per month in total", UsdText(plan_.all_usd()));
    Card("throughput", UsdText(plan_.usd));
    Card("storage", UsdText(plan_.storage_usd));
    Card("point-in-time recovery", UsdText(plan_.backup_usd));
    Card("patterns", NumberText(static_cast<double>(plan_.patterns.size()), 0));
    Card("entities", NumberText(static_cast<double>(model_.entities.size()), 0));
    out_ += "</div>\n";
  }

  void Remarks() {
    if (plan_.remarks.empty()) return;
    Title("Remarks");
    out_ += "<ul>\n";
    for (const Remark& remark : plan_.remarks) out_ += "<li>" + Safe(remark.text) + "</li>\n";
    out_ += "</ul>\n";
  }

  void Findings() {
    if (findings_ == nullptr) return;
    Title("Findings of the check");
    if (findings_->empty()) {
      out_ += "<p>None.</p>\n";
      return;
    }
    HtmlTable table({{"severity"}, {"rule"}, {"line", true}, {"finding"}});
    for (const Finding& finding : *findings_) {
      const bool bad = finding.severity == Severity::kError && finding.accepted.empty();
      std::string text = Safe(finding.Message());
      if (!finding.example.empty()) text += "<br>" + CodeElement(finding.example);
      if (!finding.accepted.empty()) text += "<br><span class=\"soft\">accepted: " + Safe(finding.accepted) + "</span>";
      table.Add({fmt::format("<span class=\"tag{}\">{}</span>", bad ? " bad" : "", NameOf(finding.severity)),
                 Safe(finding.rule), std::to_string(finding.mark.line), text});
    }
    out_ += table.Finish();
  }

  void CostChart() {
    Title("Cost per pattern");
    std::vector<const PatternPlan*> sorted;
    for (const PatternPlan& pattern : plan_.patterns) {
      if (pattern.usd > 0) sorted.push_back(&pattern);
    }
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const PatternPlan* a, const PatternPlan* b) { return a->usd > b->usd; });
    constexpr size_t kBarsMax = 40;
    if (sorted.size() > kBarsMax) sorted.resize(kBarsMax);
    std::vector<Bar> bars;
    for (const PatternPlan* pattern : sorted) {
      Bar bar{model_.patterns[pattern->pattern].name, {}, UsdText(pattern->usd)};
      for (const ChargeLine& charge : pattern->charges) {
        const bool write = charge.usage_type.find("Write") != std::string::npos;
        bar.parts.emplace_back(write ? "write" : "read", charge.usd);
      }
      bars.push_back(std::move(bar));
    }
    if (bars.empty()) {
      out_ += "<p>No pattern costs anything, because none declares how often it is called.</p>\n";
      return;
    }
    out_ += "<p class=\"soft\">$ per month; bar lengths are square roots. Blue: reads, orange: writes.</p>\n";
    out_ += BarChart("Cost per pattern", bars, sorted[0]->usd, true);
  }

  void Patterns() {
    Title("Patterns");
    HtmlTable table({{"pattern"},
                     {"request"},
                     {"index"},
                     {"rps", true},
                     {"items", true},
                     {"read units", true},
                     {"write units", true},
                     {"at size.max", true},
                     {"$/month", true}});
    for (const PatternPlan& pattern : plan_.patterns) {
      const Pattern& declared = model_.patterns[pattern.pattern];
      const Access* access = pattern.access();
      const bool reads = access != nullptr && !access->reads.empty();
      std::string request = "<span class=\"tag bad\">not served</span>";
      if (access != nullptr)
        request = HtmlEscaped(OperationText(pattern)) + "<br>" + CodeElement(RequestText(model_, *access));
      if (access == nullptr) request += "<br>" + Safe(std::get<Unserved>(pattern.compiled).message);
      for (const std::string& warning : pattern.warnings) {
        request += "<br><span class=\"soft\">" + Safe(warning) + "</span>";
      }
      table.Add({Safe(declared.name), request,
                 reads && access->read().index ? Safe(model_.indexes[*access->read().index].name) : "",
                 NumberText(declared.rps_avg, 4), reads ? NumberText(pattern.volume.items, 1) : "",
                 NumberText(pattern.units.read, 1), NumberText(pattern.units.write, 1),
                 NumberText(pattern.units_at_max.read + pattern.units_at_max.write, 1),
                 HtmlEscaped(UsdText(pattern.usd))});
    }
    out_ += table.Finish();
  }

  void Modes() {
    Title("Billing modes");
    std::vector<Bar> bars;
    double most = 0;
    for (const ModeCost& mode : plan_.modes) {
      most = std::max(most, mode.usd);
      std::string value = UsdText(mode.usd);
      if (mode.break_even)
        value += fmt::format(", cheaper above {} % utilization", NumberText(100 * *mode.break_even, 1));
      bars.push_back({std::string(NameOf(mode.mode)), {{"good", mode.usd}}, value});
    }
    out_ += BarChart("Billing modes", bars, most, false);
    HtmlTable classes({{"class"}, {"billing"}, {"throughput", true}, {"storage", true}, {"both", true}});
    for (const ClassCost& cost : plan_.classes) {
      classes.Add({std::string(ClassName(cost.table_class)),
                   cost.mode == BillingMode::kOnDemand ? "on_demand" : "provisioned",
                   HtmlEscaped(UsdText(cost.throughput_usd)), HtmlEscaped(UsdText(cost.storage_usd)),
                   HtmlEscaped(UsdText(cost.usd()))});
    }
    out_ += classes.Finish();
    HtmlTable capacity({{"provisioned"}, {"read", true}, {"write", true}, {"read max", true}, {"write max", true}});
    for (const ProvisionedPlace& place : plan_.capacity) {
      capacity.Add({Safe(PlaceName(model_, place.index)), NumberText(place.read_units, 0),
                    NumberText(place.write_units, 0), NumberText(place.read_units_max, 0),
                    NumberText(place.write_units_max, 0)});
    }
    out_ += capacity.Finish();
  }

  void Storage() {
    Title("Storage");
    HtmlTable table(
        {{"place"}, {"items", true}, {"now", true}, {"in 1 year", true}, {"in 3 years", true}, {"$/month", true}});
    for (const PlaceStorage& place : plan_.storage) {
      table.Add({Safe(PlaceName(model_, place.index)), NumberText(place.items, 0), BytesText(place.bytes),
                 BytesText(place.bytes_1y), BytesText(place.bytes_3y),
                 HtmlEscaped(UsdText(StorageUsd(plan_, place.bytes)))});
    }
    out_ += table.Finish();
  }

  void Collections() {
    if (plan_.collections.empty()) return;
    Title("Collections");
    std::vector<Bar> bars;
    double most = 1;
    for (const Collection& one : plan_.collections) {
      if (!one.counted) continue;
      most = std::max(most, one.bytes_3y);
      // Stacks now, one year and three years in one bar.
      bars.push_back({one.key + (one.index ? " (" + PlaceName(model_, one.index) + ")" : ""),
                      {{"read", one.bytes},
                       {"good", std::max(0.0, one.bytes_1y - one.bytes)},
                       {"write", std::max(0.0, one.bytes_3y - one.bytes_1y)}},
                      fmt::format("{}, in 3 years {}", BytesText(one.bytes), BytesText(one.bytes_3y))});
    }
    if (!bars.empty()) {
      out_ +=
          "<p class=\"soft\">Bytes of one partition key value. Blue: now, green: added in 1 year, orange: added in 3 "
          "years; bar lengths are square roots.</p>\n";
      out_ += BarChart("Collections", bars, most, true);
    }
    HtmlTable table({{"key"}, {"place"}, {"items", true}, {"now", true}, {"largest", true}, {"pages", true}});
    for (const Collection& one : plan_.collections) {
      table.Add({CodeElement(one.key), Safe(PlaceName(model_, one.index)),
                 one.counted ? NumberText(one.items, 1) : "unknown", one.counted ? BytesText(one.bytes) : "",
                 one.bytes_max ? BytesText(*one.bytes_max) : "unbounded",
                 one.bytes_max ? NumberText(one.pages_max, 0) : ""});
    }
    out_ += table.Finish();
  }

  void Heat() {
    std::vector<Bar> bars;
    for (const KeyHeat& heat : plan_.heat) {
      if (!heat.share && !heat.IsDeclared()) continue;
      const double write = heat.WriteHeat(plan_.prices.rules);
      const double read = heat.ReadHeat(plan_.prices.rules);
      const double hottest = std::max(write, read);
      const bool hot = hottest > plan_.prices.rules.heat_target;
      bars.push_back({heat.key + (heat.index ? " (" + PlaceName(model_, heat.index) + ")" : ""),
                      {{hot             ? "bad"
                        : write >= read ? "write"
                                        : "read",
                        std::min(hottest, 1.0)}},
                      fmt::format("{}, needs {} of {} shards", PercentText(hottest), NumberText(heat.min_shards, 0),
                                  heat.shards)});
    }
    if (bars.empty()) return;
    Title("Heat");
    out_ +=
        "<p class=\"soft\">Peak load on the most loaded key value, relative to one partition's 1,000 write and 3,000 "
        "read units per second; bar lengths are square roots. Blue: reads, orange: writes, red: too hot.</p>\n";
    out_ += BarChart("Heat", bars, 1, true);
  }

  void Indexes() {
    if (plan_.indexes.empty()) return;
    Title("Indexes");
    HtmlTable table({{"index"}, {"writes", true}, {"reads", true}, {"storage", true}, {"$/month", true}, {"patterns"}});
    for (const IndexCost& cost : plan_.indexes) {
      std::string readers;
      for (const PatternId id : cost.readers) readers += (readers.empty() ? "" : ", ") + model_.patterns[id].name;
      table.Add({Safe(model_.indexes[cost.index].name), HtmlEscaped(UsdText(cost.write_usd)),
                 HtmlEscaped(UsdText(cost.read_usd)), HtmlEscaped(UsdText(cost.storage_usd)),
                 HtmlEscaped(UsdText(cost.usd())), Safe(readers)});
    }
    out_ += table.Finish();
  }

  void Alternatives() {
    if (plan_.alternatives.empty()) return;
    Title("Alternatives");
    HtmlTable table({{"what"}, {"way"}, {"$/month", true}, {"note"}});
    for (const Alternative& one : plan_.alternatives) {
      for (size_t i = 0; i < one.options.size(); ++i) {
        const Option& option = one.options[i];
        std::string way = Safe(option.what);
        if (option.current) way += " <span class=\"tag\">now</span>";
        if (i == one.cheapest) way += " <span class=\"tag\">cheapest</span>";
        table.Add({i == 0 ? Safe(one.subject) : "", way, HtmlEscaped(UsdText(option.usd)), Safe(option.note)});
      }
    }
    out_ += table.Finish();
  }

  void Rules() {
    Title("Rules");
    out_ += "<ul class=\"soft\">\n";
    for (const PlanRule& rule : AllPlanRules()) {
      out_ += fmt::format("<li><code>{}</code> {}</li>\n", rule.id, HtmlEscaped(rule.text));
    }
    out_ += "</ul>\n";
  }

  const Plan& plan_;
  const Model& model_;
  const std::vector<Finding>* findings_;
  std::string out_;
};

}  // namespace

std::string PlanHtml(std::span<const PlannedFile> files) {
  std::string title = "Plan";
  for (const PlannedFile& file : files) title += (title == "Plan" ? " of " : ", ") + file.plan->model->table.name;
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n",
      Safe(title), kStyle);
  html += "<main>\n";
  for (const PlannedFile& file : files) html += "<article>\n" + HtmlReport(file).Write() + "</article>\n";
  return html + "</main>\n</body>\n</html>\n";
}

}  // namespace keyfold::model
