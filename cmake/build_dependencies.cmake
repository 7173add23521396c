# What building Sinew needs: all that linking it needs, and what only its own sources include.
include(cmake/dependencies.cmake)
sinew_needs(nlohmann_json 3.10)
if(sinew_missing)
  list(JOIN sinew_missing ", " sinew_missing)
  message(FATAL_ERROR "Sinew needs packages that are not installed: ${sinew_missing}. script/setup installs them.")
endif()
find_path(TL_EXPECTED_INCLUDE_DIR tl/expected.hpp REQUIRED)
