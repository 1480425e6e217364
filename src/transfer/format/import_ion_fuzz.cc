// A file of Ion text: import_fuzz_input.h describes what must hold.
#include "testing/transfer/import_fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace keyfold;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const transfer::RecordParser parser(transfer::DataFormat::kIon, {}, {});
  const transfer::RecordCutter cutter(transfer::DataFormat::kIon, ',');
  CheckLines(ImportTwice(parser, cutter, text));
  CheckChanges(parser, text);
  return 0;
}
