// The failures every store shares. kStale and kWouldBlock never reach a client; the others are logged in full where
// they happen and the client sees only these sentences.
#pragma once

#include "base/error.h"

namespace keyfold {

inline constexpr Rule<"The catalog has moved on"> kCatalogMoved{"store-stale", Kind::kStale};
inline constexpr Rule<"The rows are not in memory"> kNotInMemory{"store-would-block", Kind::kWouldBlock};
inline constexpr Rule<"The request takes too long for this thread"> kTooMuchHere{"too-much-here", Kind::kWouldBlock};
inline constexpr Rule<"Internal server error"> kStoreFailure{"store-failure", Kind::kInternal};
inline constexpr Rule<"The rate of writes exceeds what the disk can take. Try again."> kWriteStall{"store-write-stall",
                                                                                                   Kind::kThrottling};
inline constexpr Rule<"The disk is full. Only reads and deletes are served."> kDiskFull{"store-disk-full",
                                                                                        Kind::kUnavailable};
inline constexpr Rule<"The disk is full. Only reads are served."> kNoRoom{"store-no-room", Kind::kUnavailable};

}  // namespace keyfold
