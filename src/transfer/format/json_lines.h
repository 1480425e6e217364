// Items as DynamoDB JSON, one {"Item":{…}} per line, as in exports and imports.
#pragma once

#include <string>
#include <string_view>

#include "transfer/format/format.h"
#include "value/item.h"

namespace keyfold::transfer {

// Appends {"Item":{…}} and a line end.
void AppendJsonItemLine(std::string& out, ItemView item);

// Appends {"Metadata":{"WriteTimestampMicros":{"N":"…"}},"Keys":{…},"OldImage":{…},"NewImage":{…}} and a line end.
void AppendJsonChangeLine(std::string& out, const ChangeLine& change);

// Each line is an item or a fault; blank lines are neither. A line may also be a list of such objects, or several
// objects in sequence, of which the first malformed one ends the line.
void ParseJsonLines(std::string_view block, RecordParser::OnItem on_item, RecordParser::OnFault on_fault);

// As ParseJsonLines, for changes.
void ParseJsonChanges(std::string_view block, RecordParser::OnChange on_change, RecordParser::OnFault on_fault);

}  // namespace keyfold::transfer
