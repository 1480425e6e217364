// Items as DynamoDB JSON, one {"Item":{…}} a line, as exports have it and imports take it.
#pragma once

#include <string>
#include <string_view>

#include "transfer/format/format.h"
#include "value/item.h"

namespace keyfold {

// {"Item":{…}} and a line end.
void AppendJsonItemLine(std::string& out, ItemView item);

// {"Metadata":{"WriteTimestampMicros":{"N":"…"}},"Keys":{…},"OldImage":{…},"NewImage":{…}} and a line end.
void AppendJsonChangeLine(std::string& out, const ChangeLine& change);

// Each line an item or a fault; lines of white space are neither. A line may also be a list of such objects, or several
// in a row, of which the first that is none ends the line.
void ParseJsonLines(std::string_view block, RecordParser::OnItem on_item, RecordParser::OnFault on_fault);

// The same of changes.
void ParseJsonChanges(std::string_view block, RecordParser::OnChange on_change, RecordParser::OnFault on_fault);

}  // namespace keyfold
