#include "base/function_ref.h"

#include <gtest/gtest.h>

namespace keyfold {
namespace {

int Twice(FunctionRef<int(int)> f) { return f(f(1)); }

struct AddTen {
  int operator()(int x) const { return x + 10; }
};

TEST(FunctionRef, CallsWhatItBorrows) {
  int calls = 0;
  const auto counting = [&calls](int x) {
    ++calls;
    return x * 3;
  };
  EXPECT_EQ(Twice(counting), 9);
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(Twice(AddTen{}), 21);
}

}  // namespace
}  // namespace keyfold
