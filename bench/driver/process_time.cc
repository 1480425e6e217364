#include "bench/driver/process_time.h"

#include <unistd.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace keyfold::bench {
namespace {

// The fields behind the name, which may have spaces in it; the first is the state, field 3 of proc(5).
std::vector<std::string> StatOf(int pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const size_t name_end = text.rfind(')');
  std::istringstream rest(name_end == std::string::npos ? std::string() : text.substr(name_end + 1));
  return {std::istream_iterator<std::string>(rest), std::istream_iterator<std::string>()};
}

constexpr size_t kUserTime = 11, kSystemTime = 12, kResidentPages = 21;

uint64_t Sum(const std::vector<int>& pids, std::initializer_list<size_t> fields) {
  uint64_t sum = 0;
  for (const int pid : pids) {
    const std::vector<std::string> stat = StatOf(pid);
    for (const size_t field : fields) sum += field < stat.size() ? std::stoull(stat[field]) : 0;
  }
  return sum;
}

}  // namespace

double ProcessTimeUs(const std::vector<int>& pids) {
  return static_cast<double>(Sum(pids, {kUserTime, kSystemTime})) * 1e6 / static_cast<double>(sysconf(_SC_CLK_TCK));
}

uint64_t ResidentBytes(const std::vector<int>& pids) {
  return Sum(pids, {kResidentPages}) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace keyfold::bench
