#include "cli/program.h"

#include "base/version.h"
#include "cli/commands/backup_commands.h"
#include "cli/commands/copy_command.h"
#include "cli/commands/export_command.h"
#include "cli/commands/health_command.h"
#include "cli/commands/import_command.h"
#include "cli/commands/verify_command.h"
#include "cli/model/commands.h"
#include "server/config/config.h"
#include "server/config/local_options.h"
#include "server/serve.h"

namespace keyfold::cli {
namespace {

// Serves. The arguments begin with "serve" or are in DynamoDB Local's spelling.
int ServeLine(const Arguments& arguments, terminal::Console& console, bool called_java = false) {
  const server::CommandLine line = server::ParseCommandLine(arguments, called_java);
  if (!line.serve) {
    line.exit_code == kExitOk ? console.Print(line.text) : console.Note(line.text);
    return line.exit_code;
  }
  for (const std::string& note : line.notes) console.Complain(note);
  return server::Serve(*line.serve);
}

int RunServe(const Arguments& arguments, terminal::Console& console) {
  Arguments line{"serve"};
  line.insert(line.end(), arguments.begin(), arguments.end());
  return ServeLine(line, console);
}

constexpr Command kProgramCommands[] = {
    {"serve", "Serve the DynamoDB API", RunServe},
    {"backup", "Back up tables and restore them", RunBackup},
    {"copy", "Copy tables from one endpoint to another", RunCopy},
    {"export", "Export a table to a bucket", RunExport},
    {"import", "Import a new table from a bucket", RunImport},
    {"health", "Check whether a server responds", RunHealth},
    {"verify", "Verify a database or an export", RunVerify},
    {"model", "Design, check and run a single-table model", RunModel},
};

constexpr CommandGroup kProgramGroup{
    "keyfold", "Keyfold: a DynamoDB-compatible database with single-table design built in", kProgramCommands,
    "  keyfold serve                              durable, in ./keyfold-data, on http://127.0.0.1:8000\n"
    "  keyfold serve --in-memory --port 8001      in memory only; starts in milliseconds\n"
    "  aws dynamodb list-tables --endpoint-url http://127.0.0.1:8000\n"};

}  // namespace

int RunProgram(const Arguments& arguments, terminal::Console& console) {
  if (arguments.empty()) {
    return RefuseUsage(kProgramGroup.path, "a command is missing, as in: keyfold serve", console);
  }
  const std::string& first = arguments.front();
  if (first == "--version") {
    console.Print(std::string("keyfold ") + kVersion + "\n");
    return kExitOk;
  }
  if (first.starts_with('-')) {
    const server::LocalOptions local = server::TranslateLocalOptions(arguments);
    if (!local.error.empty() || local.any) return ServeLine(arguments, console);
  }
  return RunCommand(kProgramGroup, arguments, console);
}

int RunAsJava(const Arguments& arguments, terminal::Console& console) {
  return ServeLine(arguments, console, /*called_java=*/true);
}

}  // namespace keyfold::cli
