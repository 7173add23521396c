#include <support/places.h>

#include <cstdlib>

namespace sinew::test {

std::filesystem::path source_dir() {
    return SINEW_SOURCE_DIR;
}

std::filesystem::path build_dir() {
    return SINEW_BINARY_DIR;
}

std::filesystem::path data_folder() {
    const char* variable = std::getenv("SINEW_DATA");
    return variable ? std::filesystem::path(variable) : source_dir() / "../shared/data";
}

}  // namespace sinew::test
