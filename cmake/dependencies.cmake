# What Sinew stands on: the distribution's packages, found once. docs: ARCHITECTURE.md, "Dependencies".
find_package(Threads REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(TBB REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json 3.10 REQUIRED)
find_package(draco REQUIRED)
find_package(meshoptimizer REQUIRED)
find_package(hwy REQUIRED)
find_package(assimp REQUIRED)
find_package(PNG REQUIRED)
find_package(JPEG REQUIRED)
find_package(GIF REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(WEBP REQUIRED IMPORTED_TARGET libwebp libwebpmux libwebpdemux)

# Embree 3 and 4 differ in header names and in two calls; render/scene/embree.h hides that.
find_package(embree 4 QUIET)
if(NOT embree_FOUND)
  find_package(embree 3 REQUIRED)
endif()

# Debian's draco package exports plain variables on some versions and a target on others.
if(NOT TARGET draco::draco)
  add_library(draco::draco INTERFACE IMPORTED)
  if(TARGET draco::draco_shared)
    set_target_properties(draco::draco PROPERTIES INTERFACE_LINK_LIBRARIES draco::draco_shared)
  else()
    find_library(DRACO_LIBRARY draco REQUIRED)
    set_target_properties(draco::draco PROPERTIES INTERFACE_LINK_LIBRARIES "${DRACO_LIBRARY}")
  endif()
endif()

find_path(TL_EXPECTED_INCLUDE_DIR tl/expected.hpp REQUIRED)
