// Items as Amazon Ion text, as DynamoDB's exports have it: strings, bools, structs and lists are Ion's own, numbers are
// decimals, binaries are blobs, and a set is a list that $dynamodb_SS, $dynamodb_NS or $dynamodb_BS stands before.
#pragma once

#include <string>

#include "transfer/format/format.h"
#include "value/item.h"

namespace keyfold {

// $ion_1_0 {Item:{…}} and a line end.
void AppendIonItemLine(std::string& out, ItemView item);

// $ion_1_0 {Metadata:{WriteTimestampMicros:…},Keys:{…},OldImage:{…},NewImage:{…}} and a line end.
void AppendIonChangeLine(std::string& out, const ChangeLine& change);

}  // namespace keyfold
