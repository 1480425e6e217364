#include "client/credential_chain.h"

#include <gtest/gtest.h>

#include "testing/client/home.h"
#include "testing/http/script_server.h"

namespace keyfold::client {
namespace {

// "id secret token", or the error.
std::string Words(const Result<const auth::Credentials*>& found) {
  if (!found.ok()) return found.error().message();
  const auth::Credentials& c = **found;
  return c.access_key_id + " " + c.secret_access_key + " " + c.session_token;
}

Result<CredentialChain> ChainOf(const ClientSettings& settings, const Environment& environment, bool loopback) {
  ASSIGN_OR_RETURN(Profile profile, Profile::Load(environment, settings.profile));
  return CredentialChain(settings, environment, std::move(profile), loopback);
}

std::string Find(const ClientSettings& settings, const Environment& environment, bool loopback) {
  Result<CredentialChain> chain = ChainOf(settings, environment, loopback);
  return chain.ok() ? Words(chain->Current(0)) : chain.error().message();
}

constexpr char kCredentials[] =
    "[default]\naws_access_key_id = DEF\naws_secret_access_key = def-secret\n"
    "[dev]\naws_access_key_id = DEV\naws_secret_access_key = dev-secret\naws_session_token = dev-token\n"
    "[half]\naws_access_key_id = HALF\n"
    "[role]\naws_access_key_id = ROLE\naws_secret_access_key = role-secret\n";
constexpr char kChainConfig[] =
    "[profile dev]\naws_access_key_id = OTHER\nregion = x\n"
    "[profile plain]\nregion = x\n"
    "[profile conf]\naws_access_key_id = CONF\naws_secret_access_key = conf-secret\n"
    "[profile role]\nrole_arn = arn:aws:iam::1:role/r\nsource_profile = dev\n"
    "[profile sso]\nsso_session = s\n"
    "[profile process]\ncredential_process = get\n";
constexpr char kNone[] =
    "no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or choose a profile with --profile or "
    "AWS_PROFILE";
const Environment::Variables kKeys{{"AWS_ACCESS_KEY_ID", "ENV"}, {"AWS_SECRET_ACCESS_KEY", "env-secret"}};

std::string NotSupported(const std::string& profile, const std::string& how) {
  return "profile " + profile + " gets its credentials by " + how +
         ", which is not supported here; get them with: eval \"$(aws configure export-credentials --profile " +
         profile + " --format env)\"";
}

struct ChainRow {
  const char* name;
  ClientSettings settings;
  Environment::Variables variables;
  bool files;
  std::string meaning;
  std::string on_loopback = {};  // empty: the same
};

const ChainRow kChainRows[] = {
    {"nothing", {}, {}, false, kNone, "local local "},
    {"explicit", {.credentials = auth::Credentials{"ID", "s", "t"}}, kKeys, true, "ID s t"},
    {"variables", {}, kKeys, true, "ENV env-secret "},
    {"variables with a token",
     {},
     {{"AWS_ACCESS_KEY_ID", "E"}, {"AWS_SECRET_ACCESS_KEY", "s"}, {"AWS_SESSION_TOKEN", "t"}},
     true,
     "E s t"},
    {"an id alone",
     {},
     {{"AWS_ACCESS_KEY_ID", "E"}},
     true,
     "AWS_ACCESS_KEY_ID is set without AWS_SECRET_ACCESS_KEY",
     "local local "},
    {"a secret alone",
     {},
     {{"AWS_SECRET_ACCESS_KEY", "hidden"}},
     true,
     "AWS_SECRET_ACCESS_KEY is set without AWS_ACCESS_KEY_ID",
     "local local "},
    {"empty variables", {}, {{"AWS_ACCESS_KEY_ID", ""}, {"AWS_SECRET_ACCESS_KEY", ""}}, true, "DEF def-secret "},
    {"default profile", {}, {}, true, "DEF def-secret "},
    {"AWS_PROFILE", {}, {{"AWS_PROFILE", "dev"}}, true, "DEV dev-secret dev-token"},
    {"variables go before AWS_PROFILE",
     {},
     {{"AWS_PROFILE", "dev"}, {"AWS_ACCESS_KEY_ID", "E"}, {"AWS_SECRET_ACCESS_KEY", "s"}},
     true,
     "E s "},
    {"a chosen profile goes before variables", {.profile = "dev"}, kKeys, true, "DEV dev-secret dev-token"},
    {"keys in the configuration file", {.profile = "conf"}, {}, true, "CONF conf-secret "},
    {"half a profile",
     {.profile = "half"},
     {},
     true,
     "profile half needs both aws_access_key_id and aws_secret_access_key"},
    {"half of AWS_PROFILE",
     {},
     {{"AWS_PROFILE", "half"}},
     true,
     "profile half needs both aws_access_key_id and aws_secret_access_key",
     "local local "},
    {"a role, though keys stand beside it", {.profile = "role"}, {}, true, NotSupported("role", "role_arn")},
    {"single sign-on", {.profile = "sso"}, {}, true, NotSupported("sso", "sso_session")},
    {"single sign-on of AWS_PROFILE",
     {},
     {{"AWS_PROFILE", "sso"}},
     true,
     NotSupported("sso", "sso_session"),
     "local local "},
    {"a process", {.profile = "process"}, {}, true, NotSupported("process", "credential_process")},
    {"a chosen profile without keys", {.profile = "plain"}, {}, true, kNone},
    {"web identity",
     {},
     {{"AWS_WEB_IDENTITY_TOKEN_FILE", "f"}},
     false,
     "AWS_WEB_IDENTITY_TOKEN_FILE asks for a role to be assumed, which is not supported here; set AWS_ACCESS_KEY_ID, "
     "AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN",
     "local local "},
    {"a container elsewhere",
     {},
     {{"AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://203.0.113.1/c"}},
     false,
     "container credentials: http://203.0.113.1/c is neither https nor an address of this machine",
     "local local "},
    {"a container's token file that is not there",
     {},
     {{"AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://127.0.0.1:1/c"},
      {"AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", "none"}},
     false,
     "none: cannot be read: No such file or directory",
     "local local "},
};

TEST(CredentialChain, InTheOrderOfTheSdks) {
  const HomeForTest home;
  for (const ChainRow& row : kChainRows) {
    SCOPED_TRACE(row.name);
    home.WriteAws(row.files ? kCredentials : "", row.files ? kChainConfig : "");
    const Environment environment = home.With(row.variables);
    EXPECT_EQ(Find(row.settings, environment, false), row.meaning);
    EXPECT_EQ(Find(row.settings, environment, true), row.on_loopback.empty() ? row.meaning : row.on_loopback);
  }
}

TEST(CredentialChain, NamesTheFileAndTheProfile) {
  const HomeForTest home;
  const Environment environment = home.With({});
  home.WriteAws("", "");
  EXPECT_EQ(Find({.profile = "dev"}, environment, true),
            "there is no profile dev in " + home.path() + "/.aws/credentials or " + home.path() + "/.aws/config");
  home.WriteAws("aws_secret_access_key = hidden\n", "");
  EXPECT_EQ(Find({}, environment, false),
            home.path() + "/.aws/credentials: line 1 is neither a [profile] nor a setting in one");
  const std::string other = home.Write("keys", "[default]\naws_access_key_id=A\naws_secret_access_key=b\n");
  EXPECT_EQ(Find({}, home.With({{"AWS_SHARED_CREDENTIALS_FILE", other}}), false), "A b ");
  const std::string config = home.Write("conf", "[default]\naws_access_key_id=C\naws_secret_access_key=d\n");
  EXPECT_EQ(Find({}, Environment({{"AWS_CONFIG_FILE", config}}), false), "C d ") << "without HOME";
}

constexpr char kHandedOut[] =
    R"({"Code":"Success","AccessKeyId":"TMP","SecretAccessKey":"tmp-secret","Token":"tmp-token",)"
    R"("Expiration":"2024-05-01T12:00:00Z"})";
constexpr Micros kExpires = 1'714'564'800'000'000;

TEST(CredentialChain, AsksTheContainerAgainBeforeTheyExpire) {
  const HomeForTest home;
  const http::ScriptServer server({{http::AnswerOf(200, kHandedOut)}, {http::AnswerOf(200, kHandedOut)}});
  const std::string token_file = home.Write("token", "from-file\n");
  const Environment environment = home.With({{"AWS_CONTAINER_CREDENTIALS_FULL_URI", server.url() + "/c?id=1"},
                                             {"AWS_CONTAINER_AUTHORIZATION_TOKEN", "from-variable"},
                                             {"AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", token_file}});
  Result<CredentialChain> chain = ChainOf({}, environment, true);
  ASSERT_TRUE(chain.ok());
  for (const Micros now : {kExpires - 60 * kMinute, kExpires - 6 * kMinute}) {
    EXPECT_EQ(Words(chain->Current(now)), "TMP tmp-secret tmp-token");
    EXPECT_EQ(server.requests().size(), 1u) << now;
  }
  EXPECT_EQ(Words(chain->Current(kExpires - 5 * kMinute)), "TMP tmp-secret tmp-token");
  ASSERT_EQ(server.requests().size(), 2u);
  EXPECT_EQ(server.requests()[0].target, "/c?id=1");
  EXPECT_EQ(server.requests()[0].Find("authorization"), "from-file");
}

TEST(CredentialChain, ReportsTheContainersResponse) {
  const HomeForTest home;
  const std::pair<std::string, const char*> rows[] = {
      {http::AnswerOf(403, "no"), "/c returned status 403"},
      {http::AnswerOf(200, "<html>"), "/c provides none"},
      {http::AnswerOf(200, R"({"AccessKeyId":"TMP","SecretAccessKey":""})"), "/c provides none"},
  };
  for (const auto& [answer, why] : rows) {
    const http::ScriptServer server({{answer}});
    const Environment environment = home.With({{"AWS_CONTAINER_CREDENTIALS_FULL_URI", server.url() + "/c"}});
    EXPECT_EQ(Find({}, environment, false), "container credentials: " + server.url() + why);
  }
}

TEST(CredentialChain, AsksTheInstance) {
  const HomeForTest home;
  const http::ScriptServer server(
      {{http::AnswerOf(200, "session")}, {http::AnswerOf(200, "my-role\n")}, {http::AnswerOf(200, kHandedOut)}});
  const Environment environment =
      home.With({{"AWS_EC2_METADATA_SERVICE_ENDPOINT", server.url()}, {"AWS_EC2_METADATA_DISABLED", "false"}});
  EXPECT_EQ(Find({}, environment, true), "local local ");
  EXPECT_EQ(server.requests().size(), 0u) << "not for a loopback endpoint";
  EXPECT_EQ(Find({}, environment, false), "TMP tmp-secret tmp-token");
  const auto requests = server.requests();
  ASSERT_EQ(requests.size(), 3u);
  EXPECT_EQ(requests[0].method + " " + requests[0].target, "PUT /latest/api/token");
  EXPECT_EQ(requests[0].Find("x-aws-ec2-metadata-token-ttl-seconds"), "21600");
  EXPECT_EQ(requests[1].target, "/latest/meta-data/iam/security-credentials/");
  EXPECT_EQ(requests[1].Find("x-aws-ec2-metadata-token"), "session");
  EXPECT_EQ(requests[2].target, "/latest/meta-data/iam/security-credentials/my-role");
}

TEST(CredentialChain, AnInstanceWithoutARole) {
  const HomeForTest home;
  const Environment::Variables ask{{"AWS_EC2_METADATA_DISABLED", "false"}};
  const std::pair<std::vector<http::ScriptTurn>, std::string> rows[] = {
      {{{http::AnswerOf(403, "no")}}, kNone},
      {{{http::AnswerOf(200, "t")}, {http::AnswerOf(404, "none")}}, kNone},
      {{{http::AnswerOf(200, "t")}, {http::AnswerOf(500, "")}},
       "instance credentials: the list of roles returned status 500"},
      {{{http::AnswerOf(200, "t")}, {http::AnswerOf(200, "r")}, {http::AnswerOf(500, "")}},
       "instance credentials: role r returned status 500"},
      {{{http::AnswerOf(200, "t")}, {http::AnswerOf(200, "r")}, {http::AnswerOf(200, "{}")}},
       "instance credentials: role r provides none"},
  };
  for (const auto& [script, meaning] : rows) {
    const http::ScriptServer server(script);
    Environment::Variables variables = ask;
    variables["AWS_EC2_METADATA_SERVICE_ENDPOINT"] = server.url();
    EXPECT_EQ(Find({}, home.With(variables), false), meaning);
  }
}

}  // namespace
}  // namespace keyfold::client
