// What the counts of this program depend on beside the code: the compiler and the libraries it was built with.
#pragma once

#include <string>

namespace keyfold::bench {

std::string Versions();  // lines of "name: version"

}  // namespace keyfold::bench
