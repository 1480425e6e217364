#include "model/file/yaml.h"

#include <gtest/gtest.h>

namespace keyfold::model {
namespace {

std::string PrintedNode(const Node& node) {
  constexpr std::string_view kNames[] = {"null", "bool", "int", "float", "str", "seq", "map"};
  std::string out(kNames[static_cast<size_t>(node.kind)]);
  if (node.IsScalar()) return out + ' ' + node.text;
  for (const Node& child : node.children)
    out += " (" + (child.key.empty() ? "" : child.key + ": ") + PrintedNode(child) + ')';
  return out;
}

std::string ReadYamlForTest(std::string_view text) {
  const auto read = ReadYaml(text);
  if (const auto* node = std::get_if<Node>(&read)) return PrintedNode(*node);
  return LineOf("f", std::get<Unreadable>(read));
}

std::string UnquotedLine(const std::string& at, const std::string& text) {
  return "f:" + at + ": a template must be in quotes, because YAML reads { as the start of a mapping; write \"" + text +
         "\"";
}

std::string Deep(size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); }

TEST(Yaml, ResolvesScalarsByTheCoreSchema) {
  struct Row {
    std::string_view text;
    std::string_view read;
  };
  const Row rows[] = {
      {"a", "str a"},
      {"'1'", "str 1"},
      {"\"\\u00e9\"", "str \xC3\xA9"},
      {"~", "null ~"},
      {"NULL", "null NULL"},
      {"nULL", "str nULL"},
      {"true", "bool true"},
      {"yes", "str yes"},
      {"off", "str off"},
      {"-12", "int -12"},
      {"0o17", "int 0o17"},
      {"0x1F", "int 0x1F"},
      {"017", "int 017"},
      {"1_000", "str 1_000"},
      {"1.5e3", "float 1.5e3"},
      {".5", "float .5"},
      {"1.", "float 1."},
      {".", "str ."},
      {"1e", "str 1e"},
      {"-.inf", "float -.inf"},
      {".nan", "float .nan"},
      {"12:30", "str 12:30"},
      {"2024-01-15", "str 2024-01-15"},
      {"<<", "str <<"},
  };
  for (const Row& row : rows) EXPECT_EQ(ReadYamlForTest(row.text), row.read) << row.text;
}

TEST(Yaml, ReadsYamlAndJson) {
  EXPECT_EQ(ReadYamlForTest("a: [1, x]\nb: {c: d}\n"), "map (a: seq (int 1) (str x)) (b: map (c: str d))");
  EXPECT_EQ(ReadYamlForTest("{\"a\":[1,\"x\"],\n\t\"b\":{\"c\":null}}"),
            "map (a: seq (int 1) (str x)) (b: map (c: null null))");
  EXPECT_EQ(ReadYamlForTest("{\"a\":\"\\/\\n\\t\\\"\\\\\"}"), "map (a: str /\n\t\"\\)");
  EXPECT_EQ(ReadYamlForTest("\xEF\xBB\xBF"
                            "a: b"),
            "map (a: str b)");
  EXPECT_EQ(ReadYamlForTest("a: b\r\nc: d\r\n"), "map (a: str b) (c: str d)");
  EXPECT_EQ(ReadYamlForTest("%YAML 1.2\n---\na: b\n...\n"), "map (a: str b)");
  // JSON writers escape characters beyond 16 bits like this.
  EXPECT_EQ(ReadYamlForTest("{\"a\": \"x\\ud83d\\ude00\", \"b\": 1}"), "map (a: str x\xF0\x9F\x98\x80) (b: int 1)");
}

TEST(Yaml, RefusesWhatIsNotPlainData) {
  struct Row {
    std::string text;
    std::string line;
  };
  const Row rows[] = {
      {"", "f:1:1: the file does not contain a model"},
      {"# nothing\n", "f:1:1: the file does not contain a model"},
      {"a: &x 1\n", "f:1:4: anchors (&) are not supported; write the value where it is used"},
      {"&x a: 1\n", "f:1:1: anchors (&) are not supported; write the value where it is used"},
      {"a: &x [1]\n", "f:1:4: anchors (&) are not supported; write the value where it is used"},
      {"a: *x\n", "f:1:4: aliases (*) are not supported; write the value where it is used"},
      {"a: !!str 1\n", "f:1:4: tags (!) are not supported; a model file is plain data"},
      {"a: ! 1\n", "f:1:4: tags (!) are not supported; a model file is plain data"},
      {"a: !x {}\n", "f:1:4: tags (!) are not supported; a model file is plain data"},
      {"%TAG ! tag:x,2000:\n---\na: 1\n", "f:1:1: tags (!) are not supported; a model file is plain data"},
      {"a: 1\n---\nb: 2\n", "f:2:1: a second document starts here; a model file has one"},
      {"a: 1\nb: 2\na: 3\n", "f:3:1: a appears twice in this mapping, first on line 1"},
      {"{\"a\": 1, \"\\u0061\": 2}", "f:1:10: a appears twice in this mapping, first on line 1"},
      {"? [a]\n: 1\n", "f:1:3: a key is a list or a mapping; keys must be names"},
      {"a: b\xFF\n", "f:1:5: the file is not valid UTF-8 here"},
      {"x: y\n\xC3\xA9: \xC3", "f:2:4: the file is not valid UTF-8 here"},
      {std::string("a: b\0c", 6), "f:1:5: the file has a NUL character"},
      {"a: \x07", "f:1:4: neither YAML nor JSON: control characters are not allowed"},
      {"a: [1, 2\n", "f:2:1: neither YAML nor JSON: did not find expected ',' or ']'"},
      {"a: \"x\n", "f:2:1: neither YAML nor JSON: found unexpected end of stream"},
      {"a: b: c\n", "f:1:5: neither YAML nor JSON: mapping values are not allowed in this context"},
      {"a:\n\tb: 1\n", "f:2:1: a tab cannot indent a line in YAML; use spaces"},
      {"a:\n  \tb: 1\n", "f:2:3: a tab cannot indent a line in YAML; use spaces"},
      {"{PK: USER#{id}, SK: X}", UnquotedLine("1:6", "USER#{id}")},
      {"a: {SK: X, PK: {t}#U#{id|pad8}}\n", UnquotedLine("1:16", "{t}#U#{id|pad8}")},
      {"\xC3\xA9: {b: \"{x}\", PK: U#{id}}\n", UnquotedLine("1:19", "U#{id}")},
      {"PK: {a}-{b}\n", UnquotedLine("1:5", "{a}-{b}")},
      {"PK: {email}\n", UnquotedLine("1:5", "{email}")},
      {"PK: {a}#{b}\n", UnquotedLine("1:5", "{a}#{b}")},
      {"keys: {PK: {email}}\n", UnquotedLine("1:12", "{email}")},
      {"keys: {PK: '{a}', SK: {x: }}\n", UnquotedLine("1:23", "{x}")},
      {"a: b: \"{x}\" # {y}\n", "f:1:5: neither YAML nor JSON: mapping values are not allowed in this context"},
      {Deep(65), "f:1:65: nested more than 64 levels deep"},
      {std::string(kModelBytesMax + 1, '#'), "f:1:1: the file is larger than 4 MiB"},
  };
  for (const Row& row : rows) EXPECT_EQ(ReadYamlForTest(row.text), row.line) << row.text.substr(0, 40);
  EXPECT_EQ(ReadYamlForTest(Deep(64)).substr(0, 3), "seq");
}

TEST(Yaml, CountsColumnsInCharacters) {
  const auto read = ReadYaml("\xC3\xA9: {k: 'v{x}'}\n");
  const Node& value = std::get<Node>(read).children[0].children[0];
  EXPECT_EQ(value.mark, (Mark{1, 9}));
  EXPECT_TRUE(value.inside);
  EXPECT_EQ(value.phrase().At(2), (Mark{1, 11}));
}

TEST(Unreadable, IsOneLineWithoutControls) {
  constexpr Rule<"it says {}"> kSays{"says", Kind::kValidation};
  const Unreadable why({3, 7}, kSays("a\nb\x1b[31m\xC2\x85\xE2\x80\xAE\xC3\xA9"));
  EXPECT_EQ(LineOf("x\ty", why), "x\\ty:3:7: it says a\\nb\\u001b[31m\\u0085\\u202e\xC3\xA9");
  EXPECT_EQ(LineOf("f", Unreadable({3, 0}, kSays("x"))), "f:3: it says x");
}

}  // namespace
}  // namespace keyfold::model
