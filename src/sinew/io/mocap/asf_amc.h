// Acclaim ASF (skeleton) and AMC (motion), as in the CMU motion capture database: reading.
// Data flow: text → Character with a skeleton, and for AMC one clip.
#pragma once

#include <sinew/io/read.h>

namespace sinew {

// Lengths are divided by the file's `length` unit and taken as inches, so that positions come out in metres.
Result<Character> read_asf(SharedBytes file, const ReadOptions& options);

// Needs the skeleton: options.skeleton, or the .asf beside the .amc that shares its name, its number before the first
// '_' or '-', or is the only one there. 120 frames per second, the database's rate.
Result<Character> read_amc(SharedBytes amc, SharedBytes asf, const ReadOptions& options);

}  // namespace sinew
