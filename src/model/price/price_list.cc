#include "model/price/price_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "json/document.h"
#include "json/writer.h"
#include "model/price/price_file.h"

namespace keyfold::model {
namespace {

constexpr Rule<"it is not AWS's price list, which is a JSON object"> kNotAnOffer{"price-list-no-object",
                                                                                 Kind::kValidation};
constexpr Rule<"it is not AWS's price list of DynamoDB: {} is {}, not {}"> kOtherOffer{"price-list-other",
                                                                                       Kind::kValidation};
constexpr Rule<"{} is missing, or has another form than in AWS's price list"> kOfferField{"price-list-field",
                                                                                          Kind::kValidation};
constexpr Rule<"it has no price of on-demand writes"> kNoWrites{"price-list-no-writes", Kind::kValidation};
constexpr Rule<"it has the prices of {} and of {}; download the price list of one Region"> kManyRegions{
    "price-list-regions", Kind::kValidation};
constexpr Rule<"the price of {} is not in USD"> kNotUsd{"price-list-currency", Kind::kValidation};

constexpr std::string_view kOfferCode = "AmazonDynamoDB";
constexpr std::string_view kFormatVersion = "v1.0";
constexpr std::string_view kWrites = "WriteRequestUnits";

// What a plan can use, as us-east-1 names it. Other Regions put a code before it: EUC1-WriteRequestUnits.
constexpr std::string_view kUsageTypes[] = {
    kWrites,
    "ReadRequestUnits",
    "ReplWriteRequestUnits",
    "IA-WriteRequestUnits",
    "IA-ReadRequestUnits",
    "WriteCapacityUnit-Hrs",
    "ReadCapacityUnit-Hrs",
    "IA-WriteCapacityUnit-Hrs",
    "IA-ReadCapacityUnit-Hrs",
    "HeavyUsage:dynamodb.write",
    "HeavyUsage:dynamodb.read",
    "TimedStorage-ByteHrs",
    "IA-TimedStorage-ByteHrs",
    "TimedPITRStorage-ByteHrs",
    "TimedBackupStorage-ByteHrs",
    "RestoreDataSize-Bytes",
    "Streams-Requests",
    "ExportDataSize-Bytes",
    "ImportDataSize-Bytes",
};

std::optional<json::Value> ObjectAt(json::Value from, std::string_view name) {
  const std::optional<json::Value> value = from.is_object() ? json::Find(from, name) : std::nullopt;
  return value && value->is_object() ? value : std::nullopt;
}

std::optional<double> NumberIn(std::string_view text) {
  double number = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
  if (end.ec != std::errc() || end.ptr != text.data() + text.size() || number < 0) return {};
  return number;
}

// The Region's code before a usage type: "EUC1-". nullopt if the text is another usage type.
std::optional<std::string_view> CodeBefore(std::string_view text, std::string_view usage_type) {
  if (!text.ends_with(usage_type)) return {};
  const std::string_view code = text.substr(0, text.size() - usage_type.size());
  if (code.empty()) return code;
  const std::string_view letters = code.substr(0, code.size() - 1);
  const auto is_code = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); };
  if (!code.ends_with('-') || letters.empty() || letters == "IA") return {};
  return std::all_of(letters.begin(), letters.end(), is_code) ? std::optional(code) : std::nullopt;
}

// Used by one thread at a time. Views the parsed document.
class PriceListConverter {
 public:
  explicit PriceListConverter(json::Value offer) : offer_(offer) {}

  Result<std::string> Convert() {
    RETURN_IF_ERROR(CheckOffer());
    RETURN_IF_ERROR(FindRegion());
    RETURN_IF_ERROR(ReadTerms("OnDemand"));
    RETURN_IF_ERROR(ReadTerms("Reserved"));
    std::sort(rows_.begin(), rows_.end(), [](const PriceRow& a, const PriceRow& b) {
      return std::tie(a.usage_type, a.term, a.unit, a.from) < std::tie(b.usage_type, b.term, b.unit, b.from);
    });
    return Text();
  }

 private:
  Status CheckOffer() {
    for (const auto& [name, wanted] :
         {std::pair("offerCode", kOfferCode), std::pair("formatVersion", kFormatVersion)}) {
      const std::string_view found = json::TextAt(offer_, name);
      if (found.empty()) return kOfferField(name);
      if (found != wanted) return kOtherOffer(name, found, wanted);
    }
    published_ = json::TextAt(offer_, "publicationDate").substr(0, 10);
    if (published_.empty()) return kOfferField("publicationDate");
    for (const char* name : {"products", "terms"}) {
      if (!ObjectAt(offer_, name)) return kOfferField(name);
    }
    return Ok();
  }

  // The file is of the Region whose on-demand writes it prices.
  Status FindRegion() {
    std::optional<std::string_view> code;
    for (const json::Member product : ObjectAt(offer_, "products")->members()) {
      const std::optional<json::Value> attributes = ObjectAt(product.value, "attributes");
      if (!attributes) return kOfferField("attributes of product " + std::string(product.name));
      const std::string_view usage_type = json::TextAt(*attributes, "usagetype");
      usage_types_.emplace(product.name, usage_type);
      const auto own = CodeBefore(usage_type, kWrites);
      if (!own) continue;
      const std::string_view region = json::TextAt(*attributes, "regionCode");
      if (region.empty()) return kOfferField("regionCode of product " + std::string(product.name));
      if (code && region != region_) return kManyRegions(region_, region);
      // Where several codes end alike, the shortest is the Region's own.
      if (!code || own->size() < code->size()) code = own;
      region_ = region;
    }
    if (!code) return kNoWrites();
    code_ = *code;
    return Ok();
  }

  std::string_view UsageTypeOf(std::string_view sku) const {
    const auto product = usage_types_.find(sku);
    std::string_view text = product != usage_types_.end() ? product->second : std::string_view();
    if (!text.starts_with(code_)) return {};
    text.remove_prefix(code_.size());
    return std::find(std::begin(kUsageTypes), std::end(kUsageTypes), text) != std::end(kUsageTypes)
               ? text
               : std::string_view();
  }

  Status ReadTerms(std::string_view kind) {
    const std::optional<json::Value> terms = ObjectAt(*ObjectAt(offer_, "terms"), kind);
    if (!terms) return Ok();  // not every Region sells reserved capacity
    for (const json::Member product : terms->members()) {
      const std::string_view usage_type = UsageTypeOf(product.name);
      if (usage_type.empty()) continue;
      if (!product.value.is_object()) return kOfferField(fmt::format("terms.{}.{}", kind, product.name));
      for (const json::Member term : product.value.members()) RETURN_IF_ERROR(ReadTerm(usage_type, term.value));
    }
    return Ok();
  }

  Status ReadTerm(std::string_view usage_type, json::Value term) {
    const std::optional<json::Value> dimensions = ObjectAt(term, "priceDimensions");
    if (!dimensions) return kOfferField("priceDimensions of " + std::string(usage_type));
    effective_ = std::max(effective_, std::string(json::TextAt(term, "effectiveDate").substr(0, 10)));
    const std::optional<json::Value> attributes = ObjectAt(term, "termAttributes");
    const std::string_view length = attributes ? json::TextAt(*attributes, "LeaseContractLength") : std::string_view();
    for (const json::Member dimension : dimensions->members()) {
      RETURN_IF_ERROR(ReadDimension(usage_type, length, dimension.value));
    }
    return Ok();
  }

  Status ReadDimension(std::string_view usage_type, std::string_view term, json::Value dimension) {
    const std::string what(usage_type);
    const std::optional<json::Value> price = ObjectAt(dimension, "pricePerUnit");
    if (!price) return kOfferField("pricePerUnit of " + what);
    const std::string_view usd = json::TextAt(*price, "USD");
    if (usd.empty()) return kNotUsd(what);
    PriceRow row;
    row.usage_type = what;
    row.term = term;
    row.unit = json::TextAt(dimension, "unit");
    const std::optional<double> number = NumberIn(usd);
    if (!number) return kOfferField("the price of " + what);
    row.usd = *number;
    // Reserved capacity has no bands.
    const std::string_view from = json::TextAt(dimension, "beginRange");
    const std::string_view to = json::TextAt(dimension, "endRange");
    row.from = NumberIn(from).value_or(0);
    if (!to.empty() && to != "Inf") row.to = NumberIn(to);
    if ((!from.empty() && !NumberIn(from)) || (!to.empty() && to != "Inf" && !row.to))
      return kOfferField("the range of " + what);
    rows_.push_back(std::move(row));
    return Ok();
  }

  static std::string RowText(const PriceRow& row) {
    std::string text;
    json::Writer out(text);
    out.BeginObject();
    out.Member("usage_type", row.usage_type);
    if (!row.term.empty()) out.Member("term", row.term);
    out.Member("unit", row.unit);
    out.Member("from", row.from);
    out.Key("to");
    row.to ? out.Double(*row.to) : out.Null();
    out.Member("usd", row.usd);
    out.EndObject();
    return text;
  }

  // One row per line, so that two price files can be compared.
  std::string Text() const {
    std::string text = "{\n";
    const auto add = [&](std::string_view name, const std::string& value) {
      text += "  ";
      json::AppendQuoted(text, name);
      text += ": ";
      json::AppendQuoted(text, value);
      text += ",\n";
    };
    add("source_url", fmt::format("https://pricing.us-east-1.amazonaws.com/offers/v1.0/aws/{}/current/{}/index.json",
                                  kOfferCode, region_));
    add("offer_version", std::string(json::TextAt(offer_, "version")));
    add("region", region_);
    if (!effective_.empty()) add("effective", effective_);
    add("published", published_);
    add("currency", "USD");
    text += "  \"rows\": [\n";
    for (const PriceRow& row : rows_) {
      text += "    " + RowText(row) + (&row == &rows_.back() ? "\n" : ",\n");
    }
    return text + "  ]\n}\n";
  }

  const json::Value offer_;
  std::string published_;
  std::string effective_;
  std::string region_;
  std::string code_;
  std::unordered_map<std::string_view, std::string_view> usage_types_;  // by sku
  std::vector<PriceRow> rows_;
};

}  // namespace

Result<std::string> ConvertPriceList(const std::string& text) {
  json::Parser parser;
  const std::optional<json::Value> offer = parser.Parse(text);
  if (!offer || !offer->is_object()) return kNotAnOffer();
  ASSIGN_OR_RETURN(std::string converted, PriceListConverter(*offer).Convert());
  ASSIGN_OR_RETURN([[maybe_unused]] const PriceFile readable, ReadPriceFile("converted", converted));
  return converted;
}

}  // namespace keyfold::model
