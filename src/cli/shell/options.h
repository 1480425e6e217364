// Options of commands, using CLI11: parsing with uniform help and errors, and the options that several commands share.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>

#include "cli/shell/command.h"
#include "client/settings.h"

namespace keyfold::cli {

// `app` is named after the whole command ("keyfold model apply"). Returns nullopt if the command should run; otherwise
// its exit code, after printing --help or a one-line error.
std::optional<int> ParseOptions(CLI::App& app, const Arguments& arguments, terminal::Console& console);

// Adds --endpoint, --region, --profile and --ca-file, for commands that call an endpoint.
void AddEndpointOptions(CLI::App& app, client::ClientSettings& settings);

}  // namespace keyfold::cli
