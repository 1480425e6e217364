// Verifies that an export in a bucket is what was written: its manifests and their checksum files, the MD5 and item
// count of every data file, nothing missing, and no data file that no manifest names. Works for any export in AWS's
// layout, no matter what made it.
#pragma once

#include <string>

#include "engine/history/verify.h"
#include "transfer/bucket/bucket.h"

namespace keyfold::transfer {

// Reads all of the export in `folder` (PREFIX/AWSDynamoDB/ID/), in memory that does not grow with it. Adds to `found`:
// objects to `files`, items to `done`, and for each fault a sentence that names the object as s3://BUCKET/KEY. Returns
// false if there is nothing, so its owner removed it. Returns an error only if `progress` cancelled it.
Result<bool> VerifyExport(Bucket& bucket, const std::string& folder, engine::VerifyProgress progress,
                          engine::Verification& found);

}  // namespace keyfold::transfer
