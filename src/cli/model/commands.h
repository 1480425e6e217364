// `keyfold model …`: the commands for single-table models.
#pragma once

#include "cli/shell/command.h"

namespace keyfold::cli {

int RunModel(const Arguments& arguments, terminal::Console& console);

// One for each row of the table, each in NAME.cc (test: test_command.cc).
int RunModelApply(const Arguments& arguments, terminal::Console& console);
int RunModelCheck(const Arguments& arguments, terminal::Console& console);
int RunModelDiff(const Arguments& arguments, terminal::Console& console);
int RunModelExplain(const Arguments& arguments, terminal::Console& console);
int RunModelFmt(const Arguments& arguments, terminal::Console& console);
int RunModelGenerate(const Arguments& arguments, terminal::Console& console);
int RunModelImport(const Arguments& arguments, terminal::Console& console);
int RunModelPlan(const Arguments& arguments, terminal::Console& console);
int RunModelPrices(const Arguments& arguments, terminal::Console& console);
int RunModelSample(const Arguments& arguments, terminal::Console& console);
int RunModelSchema(const Arguments& arguments, terminal::Console& console);
int RunModelTest(const Arguments& arguments, terminal::Console& console);
int RunModelWatch(const Arguments& arguments, terminal::Console& console);

}  // namespace keyfold::cli
