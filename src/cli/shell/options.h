// Options of commands, on CLI11: parsing with help and refusals alike everywhere, and the options that several share.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>

#include "cli/shell/command.h"
#include "client/settings.h"

namespace keyfold {

// `app` is named after the whole command ("keyfold model apply"). Nothing where the command is to run; otherwise its
// exit code, --help printed or the fault complained of in one line.
std::optional<int> ParseOptions(CLI::App& app, const Arguments& arguments, Console& console);

// --endpoint, --region, --profile and --ca-file, for commands that call an endpoint.
void AddEndpointOptions(CLI::App& app, ClientSettings& settings);

}  // namespace keyfold
