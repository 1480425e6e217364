// The options of a command: parsing with uniform help and errors, and the options that several commands share. Only
// options.cc uses the library for it (CLI11), whose headers take seconds to compile.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/shell/command.h"
#include "client/settings.h"

namespace keyfold::cli {

// Used by one thread at a time. Parse sets the variables that are given for the options, which must outlive it.
class OptionParser {
 public:
  // An option while it is being described. Names of other options are those with which they were added.
  class Option {
   public:
    Option& Required();
    Option& OneOf(std::initializer_list<std::string_view> words);
    template <typename T>
    Option& Between(T min, T max);
    Option& Positive();
    Option& Bytes();        // takes 500KB or 5MB
    Option& ShowDefault();  // in the help: the value that the variable has now
    Option& OneEach();      // each value of a list needs the option's name before it
    Option& Excludes(std::string_view other);
    Option& Needs(std::string_view other);

   private:
    friend class OptionParser;
    Option(OptionParser& all, size_t index) : all_(all), index_(index) {}
    OptionParser& all_;
    const size_t index_;  // in the order in which they were added
  };

  // `name` is the whole command ("keyfold model apply"). `examples` follow the options in the help.
  OptionParser(std::string_view name, std::string_view about, std::string_view examples = {});
  ~OptionParser();
  OptionParser(const OptionParser&) = delete;
  OptionParser& operator=(const OptionParser&) = delete;

  // `name` is "--at" or "-o,--output"; without dashes, the argument is positional.
  Option Text(const std::string& name, std::string& into, const std::string& help);
  Option Texts(const std::string& name, std::vector<std::string>& into, const std::string& help);
  // T is int64_t, uint32_t, uint64_t, double, or std::optional<uint64_t>.
  template <typename T>
  Option Number(const std::string& name, T& into, const std::string& help);
  // A name that begins with ! sets the variable to false.
  Option Flag(const std::string& name, bool& into, const std::string& help);

  // Returns nullopt if the command should run; otherwise its exit code, after printing --help or a one-line error.
  std::optional<int> Parse(const Arguments& arguments, terminal::Console& console);

  // After Parse.
  bool IsGiven(std::string_view name) const;
  // The names of all options so far, in the order in which they were added, without --help.
  std::vector<std::string> Names() const;

 private:
  struct App;
  const std::unique_ptr<App> app_;
};

// Adds --endpoint, --region, --profile and --ca-file, for commands that call an endpoint.
void AddEndpointOptions(OptionParser& parser, client::ClientSettings& settings);

}  // namespace keyfold::cli
