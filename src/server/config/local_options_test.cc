// DynamoDB Local's spellings: what each is translated to, and the messages about them.
#include "server/config/local_options.h"

#include <gtest/gtest.h>

namespace keyfold::server {
namespace {

using Arguments = std::vector<std::string>;

struct Row {
  const char* name;
  Arguments given;
  Arguments translated;  // without the --local-health appended to every translated command line
  bool note = false;     // whether it says that one shared database is the only mode
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
    {"delay", {"-delayTransientStatuses", "-sharedDb"}, {"serve", "--index-delay-ms", "3000"}},
    {"without effect", {"-disableTelemetry", "-optimizeDbBeforeStartup", "-sharedDb"}, {"serve"}},
    {"mixed", {"serve", "-inMemory", "--region", "eu-west-1"}, {"serve", "--in-memory", "--region", "eu-west-1"}, true},
    {"not shared", {"-inMemory"}, {"serve", "--in-memory"}, true},
    {"help", {"-port", "1", "-help"}, {"serve", "--help"}},
    {"version", {"-version", "-inMemory"}, {"--version"}},
    {"unknown", {"-inMemory", "-fast", "-sharedDb"}, {"serve", "--in-memory", "-fast"}},
    {"letters count", {"-inmemory"}, {"-inmemory"}},
    {"no port", {"-inMemory", "-port"}, {"--in-memory"}, false, "-port needs a value"},
    {"no origins", {"-cors"}, {}, false, "-cors needs a value"},
    {"jar", {"-jar", "DynamoDBLocal.jar"}, {"serve"}, true},
    {"jar and options",
     {"-jar", "x.jar", "-inMemory", "-sharedDb", "-port", "1"},
     {"serve", "--in-memory", "--port", "1"}},
    {"heap", {"-Xms64m", "-Xmx256m", "-jar", "x.jar", "-sharedDb"}, {"serve"}},
    {"properties", {"-Djava.library.path=./lib", "-jar", "x.jar", "-sharedDb"}, {"serve"}},
    {"flags", {"-server", "-ea", "-XX:+UseG1GC", "-javaagent:a.jar", "-jar", "x.jar", "-sharedDb"}, {"serve"}},
    {"main class",
     {"-cp", "lib/*:x.jar", "software.amazon.dynamodb.services.local.main.ServerRunner", "-sharedDb"},
     {"serve"}},
    {"a jar called as an option", {"-jar", "-port", "-port", "1", "-sharedDb"}, {"serve", "--port", "1"}},
    {"a jar and ours", {"serve", "-jar", "x.jar", "--region", "eu-west-1"}, {"serve", "--region", "eu-west-1"}, true},
    {"no jar", {"-sharedDb", "-jar"}, {}, false, "-jar needs a value"},
};

TEST(LocalOptions, AreTranslated) {
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.name);
    const LocalOptions result = TranslateLocalOptions(row.given);
    Arguments expected = row.translated;
    const bool serves = !expected.empty() && expected[0] == "serve" && expected.back() != "--help";
    if (serves && row.given != expected) expected.emplace_back("--local-health");
    EXPECT_EQ(result.arguments, expected);
    EXPECT_EQ(result.notes.size(), row.note ? 1u : 0u);
    EXPECT_EQ(result.error, row.error);
  }
}

TEST(LocalOptions, AProgramCalledJavaIsDynamoDbLocal) {
  EXPECT_EQ(TranslateLocalOptions({}, true).arguments, (Arguments{"serve", "--local-health"}));
  EXPECT_EQ(TranslateLocalOptions({"--port", "1"}, true).arguments,
            (Arguments{"serve", "--port", "1", "--local-health"}));
  EXPECT_EQ(TranslateLocalOptions({"-version"}, true).arguments, Arguments{"--version"});
}

}  // namespace
}  // namespace keyfold::server
