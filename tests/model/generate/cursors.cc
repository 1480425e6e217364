// Cursors of the C++ header: what a response's LastEvaluatedKey becomes in the next request. Prints what is wrong.
#include <cstdio>
#include <functional>

#include "pages.h"

namespace {

int failed = 0;

void Expect(bool good, const char* what) {
  if (good) return;
  std::printf("not ok: %s\n", what);
  ++failed;
}

void ExpectRefused(const std::function<void()>& call, const std::string& message, const char* what) {
  try {
    call();
  } catch (const pages::InvalidCursor& error) {
    return Expect(error.what() == message, (std::string(what) + ": " + error.what()).c_str());
  }
  Expect(false, what);
}

bool Has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

void ReadOneQuery() {
  const pages::Request first = pages::rows({.group = "g"});
  Expect(!Has(first.body, "ExclusiveStartKey"), "the first page starts at the start");
  Expect(pages::nextCursor(first, "").empty(), "the last page has no next one");
  const std::string digits = "12345678901234567890123456789012345678";
  const std::string cursor = pages::nextCursor(
      first, "{\"n\" : {\"N\":\"" + digits + "\"}, \"pk\":{\"S\":\"R#\\u00fc\\ud83d\\ude00\\\"\\n\"}}");
  Expect(
      cursor.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") == std::string::npos,
      "a cursor needs no escapes in a URL");
  const std::string next = pages::rows({.group = "g"}, pages::kTableName, cursor).body;
  Expect(Has(next, "\"ExclusiveStartKey\":{\"pk\":{\"S\":\"R#ü😀\\\"\\u000a\"},\"n\":{\"N\":\"" + digits + "\"}}"),
         next.c_str());
  const auto rows = [](const std::string& text) {
    return [text] { pages::rows({.group = "g"}, pages::kTableName, text); };
  };
  ExpectRefused(rows("a+b/"), "the cursor is malformed", "no base64url");
  ExpectRefused(rows("W10"), "the cursor is malformed", "an empty list");
  ExpectRefused(rows(cursor.substr(0, cursor.size() - 8)), "the cursor is malformed", "a part of a cursor");
  ExpectRefused(rows(pages::nextCursor(first, "{\"pk\":{\"S\":\"R#g\"}}")), "the cursor is malformed", "half a key");
  ExpectRefused(rows(pages::nextCursor(first, "{\"pk\":{\"S\":\"a\"},\"n\":{\"N\":\"1\"}},\"TableName\":\"other\"")),
                "the cursor is malformed", "more than a key");
  ExpectRefused([&] { pages::allRows(pages::kTableName, cursor); }, "the cursor is of rows, not of allRows",
                "the cursor of another pattern");
}

void ReadShards() {
  const std::vector<pages::Request> first = pages::tasks();
  Expect(first.size() == 3, "one request for each shard");
  const std::string key = "{\"pk\":{\"S\":\"T#2\"},\"n\":{\"N\":\"7\"}}";
  const std::string middle = "{\"pk\":{\"S\":\"T#1\"},\"n\":{\"N\":\"5\"}}";
  std::vector<pages::Request> next = pages::tasks(pages::kTableName, pages::nextCursor(first, {"", "", key}));
  Expect(next.size() == 1 && Has(next[0].body, "\"ExclusiveStartKey\":" + key), "only the shard that goes on");
  next = pages::tasks(pages::kTableName, pages::nextCursor(first, {"", middle, key}));
  Expect(next.size() == 2 && Has(next[0].body, middle) && Has(next[1].body, key), "two shards go on");
  next = pages::tasks(pages::kTableName, pages::nextCursor(next, {middle, ""}));
  Expect(next.size() == 1 && Has(next[0].body, middle), "a shard that is read to its end is not read again");
  next = pages::tasks(pages::kTableName, pages::nextCursor(next, {middle}));
  Expect(next.size() == 1 && Has(next[0].body, middle), "nor is it in the page after");
  Expect(pages::nextCursor(next, {""}).empty(), "all are read");
}

void ReadMonths() {
  const std::vector<pages::Request> first = pages::days({.from = "2024-01", .to = "2024-03"});
  const std::string key =
      "{\"pk\":{\"S\":\"D#a\"},\"n\":{\"N\":\"1\"},\"GSI1PK\":{\"S\":\"D#2024-02\"},\"GSI1SK\":{\"S\":\"x\"}}";
  const std::string cursor = pages::nextCursor(first, {"", key, ""});
  const std::vector<pages::Request> next = pages::days({.from = "2024-01", .to = "2024-03"}, pages::kTableName, cursor);
  Expect(next.size() == 1 && next[0].part == "2024-02", "one month goes on");
  ExpectRefused([&] { pages::days({.from = "2025-01", .to = "2025-03"}, pages::kTableName, cursor); },
                "the cursor is of a read with other inputs", "other months");
}

}  // namespace

int main() {
  ReadOneQuery();
  ReadShards();
  ReadMonths();
  // A key is asked for once.
  const std::vector<pages::Request> batch = pages::someRows({{.group = "g", .n = 1}, {.group = "g", .n = 1}});
  Expect(batch.size() == 1 && batch[0].body.find("R#g") == batch[0].body.rfind("R#g"), "a key is asked for once");
  return failed == 0 ? 0 : 1;
}
