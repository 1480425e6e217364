// DynamoDB Local's spellings: what each becomes, and what is said about them.
#include "server/local_options.h"

#include <gtest/gtest.h>

namespace keyfold {
namespace {

using Words = std::vector<std::string>;

struct Row {
  const char* name;
  Words given;
  Words translated;
  bool note = false;  // that one shared database is the only mode
  const char* error = "";
};

const Row kRows[] = {
    {"nothing", {}, {}},
    {"ours stay as they are", {"serve", "--port", "1", "-h"}, {"serve", "--port", "1", "-h"}},
    {"port", {"-port", "8001", "-sharedDb"}, {"serve", "--port", "8001"}},
    {"memory", {"-inMemory", "-sharedDb"}, {"serve", "--in-memory"}},
    {"path", {"-dbPath", "d", "-sharedDb"}, {"serve", "--data", "d"}},
    {"one origin", {"-cors", "*", "-sharedDb"}, {"serve", "--allow-origin", "*"}},
    {"origins",
     {"-cors", "http://a,http://b", "-sharedDb"},
     {"serve", "--allow-origin", "http://a", "--allow-origin", "http://b"}},
    {"no origin", {"-cors", "", "-sharedDb"}, {"serve"}},
    {"delay", {"-delayTransientStatuses", "-sharedDb"}, {"serve", "--table-delay-ms", "3000"}},
    {"without effect", {"-disableTelemetry", "-optimizeDbBeforeStartup", "-sharedDb"}, {"serve"}},
    {"mixed", {"serve", "-inMemory", "--region", "eu-west-1"}, {"serve", "--in-memory", "--region", "eu-west-1"}, true},
    {"not shared", {"-inMemory"}, {"serve", "--in-memory"}, true},
    {"help", {"-port", "1", "-help"}, {"serve", "--help"}},
    {"version", {"-version", "-inMemory"}, {"--version"}},
    {"unknown", {"-inMemory", "-fast", "-sharedDb"}, {"serve", "--in-memory", "-fast"}},
    {"letters count", {"-inmemory"}, {"-inmemory"}},
    {"no port", {"-inMemory", "-port"}, {"--in-memory"}, false, "-port needs a value"},
    {"no origins", {"-cors"}, {}, false, "-cors needs a value"},
};

TEST(LocalOptions, AreTranslated) {
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.name);
    const LocalOptions result = TranslateLocalOptions(row.given);
    EXPECT_EQ(result.arguments, row.translated);
    EXPECT_EQ(result.notes.size(), row.note ? 1u : 0u);
    EXPECT_EQ(result.error, row.error);
  }
}

}  // namespace
}  // namespace keyfold
