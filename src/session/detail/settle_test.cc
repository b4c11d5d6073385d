#include "session/detail/settle.h"

#include <gtest/gtest.h>

namespace dither::session::detail {
namespace {

using namespace std::chrono_literals;

// Spec: W-73
TEST(Shares, LeaveTimeToStoreWhatCameOfARun) {
  const Worker::Clock::time_point begin = Worker::Clock::now();
  const Shares shares{begin, 400ms};
  EXPECT_EQ(shares.beginning(0), begin);
  EXPECT_EQ(shares.end_of_run(0), begin + 360ms);
  EXPECT_EQ(shares.beginning(1), begin + 400ms);
  EXPECT_EQ(shares.end_of_run(2), begin + 1160ms);
  EXPECT_EQ((Shares{begin, 1h}).end_of_run(0), begin + 3599s);  // for a second at most
}

}  // namespace
}  // namespace dither::session::detail
