#include "cli/shell/options.h"

#include <algorithm>
#include <sstream>

namespace keyfold::cli {
std::optional<int> ParseOptions(CLI::App& app, const Arguments& arguments, terminal::Console& console) {
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

void AddEndpointOptions(CLI::App& app, client::ClientSettings& settings) {
  app.add_option("--endpoint", settings.endpoint,
                 "Address of the API, such as http://127.0.0.1:8000 (default: AWS_ENDPOINT_URL_DYNAMODB, "
                 "AWS_ENDPOINT_URL, the profile's, or AWS)");
  app.add_option("--region", settings.region,
                 "Region (default: AWS_REGION, AWS_DEFAULT_REGION, the profile's; us-east-1 for a server on this "
                 "machine)");
  app.add_option("--profile", settings.profile,
                 "Profile of ~/.aws/credentials and ~/.aws/config (default: AWS_PROFILE)");
  app.add_option("--ca-file", settings.ca_file,
                 "Certificate authorities to trust (PEM) instead of the system's (default: SSL_CERT_FILE)");
}

}  // namespace keyfold::cli
