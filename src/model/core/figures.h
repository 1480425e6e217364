// Numbers and lists in messages and reports.
#pragma once

#include <string>
#include <vector>

namespace keyfold::model {

// "1,234", "0.28", "1.5": at most `decimals` digits after the point, without trailing zeros.
std::string NumberText(double number, int decimals = 2);
// For messages: "1,250", "0.28", "12.5". Two decimals below 100, none above; a fraction is never shown as 0.
std::string Figure(double number);
// "12.5 %"
std::string Percent(double share);
// Bytes as readable text: "12,000 B", "19.1 MB".
std::string BytesText(double bytes);
// "a", "a and b", "a, b and c".
std::string Listed(const std::vector<std::string>& names);

}  // namespace keyfold::model
