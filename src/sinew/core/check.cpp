#include <sinew/core/check.h>

#include <cstdio>
#include <cstdlib>

namespace sinew {

void check_failed(const char* condition, const char* file, int line) {
    std::fprintf(stderr, "sinew: %s:%d: check failed: %s\n", file, line, condition);
    std::abort();
}

}  // namespace sinew
