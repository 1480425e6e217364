// Writes items as Amazon Ion text, as DynamoDB's exports do: strings, bools, structs and lists are Ion's own, numbers
// are decimals, binaries are blobs, and a set is a list annotated with $dynamodb_SS, $dynamodb_NS or $dynamodb_BS.
#pragma once

#include <string>

#include "transfer/format/format.h"
#include "value/item.h"

namespace keyfold::transfer {

// Appends $ion_1_0 {Item:{…}} and a line end.
void AppendIonItemLine(std::string& out, ItemView item);

// Appends $ion_1_0 {Metadata:{WriteTimestampMicros:…},Keys:{…},OldImage:{…},NewImage:{…}} and a line end.
void AppendIonChangeLine(std::string& out, const ChangeLine& change);

}  // namespace keyfold::transfer
