#include "cli/shell/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>

namespace keyfold::cli {

struct OptionParser::App {
  App(std::string_view name, std::string_view about) : app(std::string(about), std::string(name)) {}

  size_t Add(CLI::Option* option) {
    added.push_back(option);
    return added.size() - 1;
  }

  CLI::App app;
  std::vector<CLI::Option*> added;  // by index, owned by `app`
};

OptionParser::OptionParser(std::string_view name, std::string_view about, std::string_view examples)
    : app_(std::make_unique<App>(name, about)) {
  if (!examples.empty()) app_->app.footer(std::string(examples));
}

OptionParser::~OptionParser() = default;

OptionParser::Option OptionParser::Text(const std::string& name, std::string& into, const std::string& help) {
  return {*this, app_->Add(app_->app.add_option(name, into, help))};
}

OptionParser::Option OptionParser::Texts(const std::string& name, std::vector<std::string>& into,
                                         const std::string& help) {
  return {*this, app_->Add(app_->app.add_option(name, into, help))};
}

template <typename T>
OptionParser::Option OptionParser::Number(const std::string& name, T& into, const std::string& help) {
  return {*this, app_->Add(app_->app.add_option(name, into, help))};
}
template OptionParser::Option OptionParser::Number(const std::string&, int64_t&, const std::string&);
template OptionParser::Option OptionParser::Number(const std::string&, uint32_t&, const std::string&);
template OptionParser::Option OptionParser::Number(const std::string&, uint64_t&, const std::string&);
template OptionParser::Option OptionParser::Number(const std::string&, double&, const std::string&);
template OptionParser::Option OptionParser::Number(const std::string&, std::optional<uint64_t>&, const std::string&);

OptionParser::Option OptionParser::Flag(const std::string& name, bool& into, const std::string& help) {
  return {*this, app_->Add(app_->app.add_flag(name, into, help))};
}

OptionParser::Option& OptionParser::Option::Required() {
  all_.app_->added[index_]->required();
  return *this;
}

OptionParser::Option& OptionParser::Option::OneOf(std::initializer_list<std::string_view> words) {
  all_.app_->added[index_]->check(CLI::IsMember(std::vector<std::string>(words.begin(), words.end())));
  return *this;
}

template <typename T>
OptionParser::Option& OptionParser::Option::Between(T min, T max) {
  all_.app_->added[index_]->check(CLI::Range(min, max));
  return *this;
}
template OptionParser::Option& OptionParser::Option::Between(int, int);
template OptionParser::Option& OptionParser::Option::Between(int64_t, int64_t);
template OptionParser::Option& OptionParser::Option::Between(uint32_t, uint32_t);
template OptionParser::Option& OptionParser::Option::Between(uint64_t, uint64_t);
template OptionParser::Option& OptionParser::Option::Between(double, double);

OptionParser::Option& OptionParser::Option::Positive() {
  all_.app_->added[index_]->check(CLI::PositiveNumber);
  return *this;
}

OptionParser::Option& OptionParser::Option::Bytes() {
  all_.app_->added[index_]->transform(CLI::AsSizeValue(/*kb_is_1000=*/true));
  return *this;
}

OptionParser::Option& OptionParser::Option::ShowDefault() {
  all_.app_->added[index_]->capture_default_str();
  return *this;
}

OptionParser::Option& OptionParser::Option::OneEach() {
  all_.app_->added[index_]->allow_extra_args(false);
  return *this;
}

OptionParser::Option& OptionParser::Option::Excludes(std::string_view other) {
  all_.app_->added[index_]->excludes(std::string(other));
  return *this;
}

OptionParser::Option& OptionParser::Option::Needs(std::string_view other) {
  all_.app_->added[index_]->needs(std::string(other));
  return *this;
}

std::optional<int> OptionParser::Parse(const Arguments& arguments, terminal::Console& console) {
  CLI::App& app = app_->app;
  try {
    app.parse(Arguments(arguments.rbegin(), arguments.rend()));  // in the order CLI11 expects
    return std::nullopt;
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() != 0) {
      std::string why = e.what();
      std::replace(why.begin(), why.end(), '\n', ' ');  // some messages have two lines
      return RefuseUsage(app.get_name(), why, console);
    }
    std::ostringstream out;  // --help
    app.exit(e, out, out);
    console.Print(out.str());
    return kExitOk;
  }
}

bool OptionParser::IsGiven(std::string_view name) const { return app_->app.count(std::string(name)) > 0; }

std::vector<std::string> OptionParser::Names() const {
  std::vector<std::string> names;
  for (const CLI::Option* option : app_->added) names.push_back(option->get_name());
  return names;
}

void AddEndpointOptions(OptionParser& parser, client::ClientSettings& settings) {
  parser.Text("--endpoint", settings.endpoint,
              "Address of the API, such as http://127.0.0.1:8000 (default: AWS_ENDPOINT_URL_DYNAMODB, "
              "AWS_ENDPOINT_URL, the profile's, or AWS)");
  parser.Text("--region", settings.region,
              "Region (default: AWS_REGION, AWS_DEFAULT_REGION, the profile's; us-east-1 for a server on this "
              "machine)");
  parser.Text("--profile", settings.profile, "Profile of ~/.aws/credentials and ~/.aws/config (default: AWS_PROFILE)");
  parser.Text("--ca-file", settings.ca_file,
              "Certificate authorities to trust (PEM) instead of the system's (default: SSL_CERT_FILE)");
}

}  // namespace keyfold::cli
