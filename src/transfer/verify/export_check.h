// Whether an export in a bucket is what was written: its manifests and their checksum files, every data file by its MD5
// and the number of its items, nothing missing, and no data file that no manifest names. Any export in AWS's layout,
// whoever made it.
#pragma once

#include <string>

#include "engine/history/verify.h"
#include "transfer/bucket/bucket.h"

namespace keyfold {

// Reads all of the export in `folder` (PREFIX/AWSDynamoDB/ID/), in memory that does not grow with it. Adds to `found`:
// objects to `files`, items to `done`, and a sentence for each fault, which names the object as s3://BUCKET/KEY.
// False: nothing is there, so that its owner removed it. An error: it was told to end.
Result<bool> VerifyExport(Bucket& bucket, const std::string& folder, VerifyProgress progress, Verification& found);

}  // namespace keyfold
