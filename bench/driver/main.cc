// bench_driver: load for anything that speaks DynamoDB's API. It makes and fills tables of orders (load), runs one
// workload on them and says how it went in one line of JSON (run), or holds idle connections (idle).
#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>

#include "bench/driver/idling.h"
#include "bench/driver/loading.h"
#include "bench/driver/timed_run.h"
#include "bench/driver/workload.h"

namespace keyfold::bench {
namespace {

// As many open files as this process may have.
void AllowManyConnections() {
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
}

void AddTarget(CLI::App& app, Target& target) {
  app.add_option("--host", target.host, "a numeric IPv4 address")->capture_default_str();
  app.add_option("--port", target.port)->capture_default_str();
}

template <typename Options>
void AddOrders(CLI::App& app, Options& options) {
  app.add_option("--table", options.table)->capture_default_str();
  app.add_option("--tables", options.tables, "that orders are spread over; named …-0, …-1 where more than one")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  app.add_option("--comment-bytes", options.comment_bytes, "of an order; the rest of it has about 200, or 120 with 0")
      ->check(CLI::Range(0, 400'000))
      ->capture_default_str();
}

void AddRun(CLI::App& app, RunOptions& options) {
  AddTarget(app, options.target);
  const auto known = [](const std::string& name) { return FindWorkload(name) ? "" : "no workload " + name; };
  app.add_option("workload", options.workload, "see list")->required()->check(known);
  AddOrders(app, options);
  app.add_option("--items", options.items, "orders that were loaded")
      ->check(CLI::Range(100, 99'999'999))
      ->capture_default_str();
  app.add_option("--connections", options.connections)->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--threads", options.threads, "of the driver")->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--seconds", options.seconds, "timed")->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--warm-up", options.warm_up_seconds, "seconds before them, not timed")->capture_default_str();
  app.add_option("--rate", options.rate,
                 "requests a second, due at fixed times whatever the server does; 0: as many as it takes")
      ->capture_default_str();
  app.add_option("--seed", options.seed, "of the keys")->capture_default_str();
  app.add_flag("--any-answer", options.any_answer, "do not look at what answers say");
  app.add_option("--server-pid", options.server_pids, "processes whose processor time and memory are reported")
      ->delimiter(',');
}

void AddLoad(CLI::App& app, LoadOptions& options) {
  AddTarget(app, options.target);
  AddOrders(app, options);
  app.add_option("--items", options.items)->check(CLI::Range(0, 99'999'999))->capture_default_str();
  app.add_option("--from", options.from, "the first order to load; those before are there")->capture_default_str();
  app.add_option("--indexes", options.indexes, "global indexes")->check(CLI::Range(0, 20))->capture_default_str();
  app.add_option("--connections", options.connections)->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--threads", options.threads)->check(CLI::PositiveNumber)->capture_default_str();
  app.add_flag("--create,!--no-create", options.create, "make the tables first (default)");
  app.add_flag("--large,!--no-large", options.large, "and the one of 100 KB items (default)");
}

void AddIdle(CLI::App& app, IdleOptions& options) {
  AddTarget(app, options.target);
  app.add_option("--connections", options.connections)->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--seconds", options.seconds, "to hold them")->capture_default_str();
  app.add_option("--server-pid", options.server_pids, "processes whose memory is reported")->delimiter(',');
}

int Main(int count, char** words) {
  CLI::App app("Load for anything that speaks DynamoDB's API.");
  app.require_subcommand(1);
  RunOptions run;
  LoadOptions load;
  IdleOptions idle;
  CLI::App& run_command = *app.add_subcommand("run", "run one workload; prints one line of JSON");
  CLI::App& load_command = *app.add_subcommand("load", "make and fill the tables of orders");
  CLI::App& idle_command = *app.add_subcommand("idle", "hold connections open and tell what they cost the server");
  CLI::App& list_command = *app.add_subcommand("list", "name the workloads");
  AddRun(run_command, run);
  AddLoad(load_command, load);
  AddIdle(idle_command, idle);
  CLI11_PARSE(app, count, words);
  AllowManyConnections();
  if (run_command.parsed()) return RunTimed(run);
  if (load_command.parsed()) return RunLoad(load);
  if (idle_command.parsed()) return RunIdle(idle);
  if (list_command.parsed()) {
    for (const Workload& workload : Workloads()) fmt::print("{:<12} {}\n", workload.name, workload.about);
  }
  return 0;
}

}  // namespace
}  // namespace keyfold::bench

int main(int count, char** words) { return keyfold::bench::Main(count, words); }
