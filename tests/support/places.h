// Where the source tree, the build and the real files are. The compiler is told in places.cpp alone: every other source is
// then compiled alike in all clones, and the compiler cache finds it.
#pragma once

#include <filesystem>

namespace sinew::test {

std::filesystem::path source_dir();
std::filesystem::path build_dir();
// $SINEW_DATA, or the folder ../shared/data beside the source tree. It may be absent.
std::filesystem::path data_folder();

}  // namespace sinew::test
