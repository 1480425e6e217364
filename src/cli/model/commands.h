// `keyfold model …`: the commands for single-table models.
#pragma once

#include "cli/shell/command.h"

namespace keyfold {

int RunModel(const Arguments& arguments, Console& console);

// One for each row of the table, each in NAME.cc (test: test_command.cc).
int RunModelApply(const Arguments& arguments, Console& console);
int RunModelCheck(const Arguments& arguments, Console& console);
int RunModelDiff(const Arguments& arguments, Console& console);
int RunModelExplain(const Arguments& arguments, Console& console);
int RunModelFmt(const Arguments& arguments, Console& console);
int RunModelGenerate(const Arguments& arguments, Console& console);
int RunModelImport(const Arguments& arguments, Console& console);
int RunModelPlan(const Arguments& arguments, Console& console);
int RunModelSample(const Arguments& arguments, Console& console);
int RunModelSchema(const Arguments& arguments, Console& console);
int RunModelTest(const Arguments& arguments, Console& console);
int RunModelWatch(const Arguments& arguments, Console& console);

}  // namespace keyfold
