// Converts AWS's price list of DynamoDB, the file index.json of one Region, into a price file.
#pragma once

#include <string>

#include "base/error.h"

namespace keyfold::model {

// Returns the text of the price file. The error message is one clause that says what is wrong with the price list.
Result<std::string> ConvertPriceList(const std::string& text);

}  // namespace keyfold::model
