// The order that the micro-benchmarks work on, as a request has it and as the store has it.
#pragma once

#include <cstdint>
#include <string>

#include "base/check.h"
#include "bench/orders/order.h"
#include "json/document.h"
#include "wire/attribute_value.h"

namespace keyfold::bench {

// With the room behind its end that lets a parser read it in place.
inline std::string SampleJson(uint64_t n = 1'234) {
  std::string text;
  AppendOrder(text, n, 12'345);
  text.reserve(text.size() + json::Parser::kPaddingBytes);
  return text;
}

inline Item SampleItem(uint64_t n = 1'234) {
  json::Parser parser;
  wire::Supplied<Item> item;
  CHECK(wire::DecodeItem(*parser.Parse(SampleJson(n)), wire::Place::kMember, item).ok());
  CHECK(item.Check().ok());
  return *std::move(item);
}

}  // namespace keyfold::bench
