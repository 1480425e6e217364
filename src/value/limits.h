// DynamoDB's limits. Each is defined once, and its name ends with its unit.
#pragma once

#include <cstddef>

namespace keyfold {

inline constexpr size_t kItemBytesMax = 400 * 1024;
inline constexpr size_t kPartitionKeyBytesMax = 2048;
inline constexpr size_t kSortKeyBytesMax = 1024;
inline constexpr size_t kItemDepthMax = 32;
inline constexpr size_t kAttributeNameBytesMax = 65535;
inline constexpr size_t kKeyAttributeNameBytesMax = 255;
inline constexpr size_t kItemCollectionBytesMax = size_t{10} * 1024 * 1024 * 1024;

inline constexpr int kNumberDigitsMax = 38;

inline constexpr size_t kExpressionBytesMax = 4096;
inline constexpr size_t kExpressionOperatorsMax = 300;
inline constexpr size_t kExpressionPathDepthMax = 32;
inline constexpr size_t kExpressionInOperandsMax = 100;
inline constexpr size_t kPlaceholderBytesMax = 255;
inline constexpr size_t kPlaceholdersTotalBytesMax = 2 * 1024 * 1024;

inline constexpr size_t kPageBytesMax = 1024 * 1024;
inline constexpr size_t kBatchGetKeysMax = 100;
inline constexpr size_t kBatchGetBytesMax = 16 * 1024 * 1024;
inline constexpr size_t kBatchWritesMax = 25;
inline constexpr size_t kTransactionActionsMax = 100;
inline constexpr size_t kTransactionBytesMax = 4 * 1024 * 1024;

inline constexpr size_t kGlobalIndexesMax = 20;
inline constexpr size_t kLocalIndexesMax = 5;
inline constexpr size_t kProjectedAttributesMax = 100;
inline constexpr size_t kIndexKeyPartsMax = 4;
inline constexpr size_t kTagsMax = 50;

inline constexpr size_t kReadUnitBytes = 4096;
inline constexpr size_t kWriteUnitBytes = 1024;

}  // namespace keyfold
