// Painting weights.
#include "choices.h"

namespace sinew::web {

void add_paint_operations(Operations&) {}

}  // namespace sinew::web
