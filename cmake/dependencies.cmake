# The distribution's packages that Sinew stands on (ARCHITECTURE.md, "Dependencies"). This file is installed too: whoever
# links the static library needs what is inside it. Sets sinew_missing to the names of the packages that are not there.
set(sinew_missing "")
macro(sinew_needs package)  # package, then find_package's other arguments
  find_package(${package} ${ARGN} QUIET)
  if(NOT ${package}_FOUND)
    list(APPEND sinew_missing ${package})
  endif()
endmacro()

# What Sinew's headers include.
sinew_needs(Eigen3 3.4 NO_MODULE)
sinew_needs(tl-expected)

# What the library links.
sinew_needs(Threads)
sinew_needs(TBB)
sinew_needs(fmt)
sinew_needs(draco)
sinew_needs(meshoptimizer)
sinew_needs(hwy)
sinew_needs(assimp)
sinew_needs(ZLIB)
sinew_needs(PNG)
sinew_needs(JPEG)
sinew_needs(GIF)
sinew_needs(PkgConfig)
if(PkgConfig_FOUND)
  pkg_check_modules(WEBP QUIET IMPORTED_TARGET libwebp libwebpmux libwebpdemux)
  pkg_check_modules(BULLET QUIET IMPORTED_TARGET bullet)
endif()
if(NOT BULLET_FOUND)
  list(APPEND sinew_missing bullet)
endif()
if(NOT WEBP_FOUND)
  list(APPEND sinew_missing libwebp)
endif()

# Debian's draco package exports plain variables on some versions and a target on others.
if(draco_FOUND AND NOT TARGET draco::draco)
  add_library(draco::draco INTERFACE IMPORTED)
  if(TARGET draco::draco_shared)
    set_target_properties(draco::draco PROPERTIES INTERFACE_LINK_LIBRARIES draco::draco_shared)
  else()
    find_library(DRACO_LIBRARY draco REQUIRED)
    set_target_properties(draco::draco PROPERTIES INTERFACE_LINK_LIBRARIES "${DRACO_LIBRARY}")
  endif()
endif()
