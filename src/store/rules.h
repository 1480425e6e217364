// The errors that all stores share. kStale and kWouldBlock never reach a client. The others are logged with details
// where they occur, and the client sees only these sentences.
#pragma once

#include "base/error.h"

namespace keyfold::store {

inline constexpr Rule<"The catalog has changed"> kCatalogMoved{"store-stale", Kind::kStale};
inline constexpr Rule<"The rows are not in memory"> kNotInMemory{"store-would-block", Kind::kWouldBlock};
inline constexpr Rule<"The request takes too long for this thread"> kTooMuchHere{"too-much-here", Kind::kWouldBlock};
inline constexpr Rule<"Internal server error"> kStoreFailure{"store-failure", Kind::kInternal};
inline constexpr Rule<"The disk cannot keep up with the rate of writes. Try again."> kWriteStall{"store-write-stall",
                                                                                                 Kind::kThrottling};
inline constexpr Rule<"The disk is full. Only reads and deletes are served."> kDiskFull{"store-disk-full",
                                                                                        Kind::kUnavailable};
inline constexpr Rule<"The disk is full. Only reads are served."> kNoRoom{"store-no-room", Kind::kUnavailable};

}  // namespace keyfold::store
