// A CSV file with its own header and with a given one: import_fuzz_input.h describes what must hold. The first byte
// selects the delimiter.
#include "testing/transfer/import_fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace keyfold;
  if (size == 0) return 0;
  const char delimiter = ",;:|\t "[data[0] % 6];
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  const std::vector<KeyAttribute> keys = {{"id", Type::kS}, {"n", Type::kN}, {"b", Type::kB}};
  const transfer::RecordCutter cutter(transfer::DataFormat::kCsv, delimiter);
  ImportTwice(transfer::RecordParser(transfer::DataFormat::kCsv, {delimiter, {}}, keys), cutter, text);
  ImportTwice(transfer::RecordParser(transfer::DataFormat::kCsv, {delimiter, {"id", "n"}}, keys), cutter, text);
  return 0;
}
