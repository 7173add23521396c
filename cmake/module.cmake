# sinew_module(NAME [PUBLIC header …] [MADE source …] [DEPENDS module …] [LIBRARIES external …] [HEADER_LIBRARIES external …])
#
# Declares one module: all sources under src/sinew/NAME; its PUBLIC headers, the only ones that are installed; sources MADE
# by the build; the modules whose headers it may include; and the outside libraries that it alone uses, those that are
# nothing but headers apart, because whoever links Sinew does not need them. All modules end in the one library `sinew`.
# tests/house reads these same lines: layering_test.py checks every #include against DEPENDS, headers_test.py that a public
# header includes and mentions public headers only.
add_library(sinew STATIC)
add_library(sinew::sinew ALIAS sinew)
target_compile_features(sinew PUBLIC cxx_std_20)
target_include_directories(sinew PUBLIC
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(sinew PUBLIC Eigen3::Eigen tl::expected PRIVATE Threads::Threads)

# Flags for everything we compile: warnings, sanitizers, assertions, and no fused multiply-adds or fast-math that would
# make results depend on the machine.
add_library(sinew_flags INTERFACE)
target_compile_options(sinew_flags INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wno-psabi
                       -Wno-missing-field-initializers -ffp-contract=off)
if(SINEW_SANITIZE)
  target_compile_options(sinew_flags INTERFACE -fsanitize=${SINEW_SANITIZE} -fno-omit-frame-pointer
                         -fno-sanitize-recover=all -O1 -g1)
  target_link_options(sinew_flags INTERFACE -fsanitize=${SINEW_SANITIZE})
endif()
if(SINEW_SANITIZE OR CMAKE_BUILD_TYPE STREQUAL "Debug")
  target_compile_definitions(sinew_flags INTERFACE SINEW_ENABLE_ASSERTS)
endif()
if(SINEW_BUILD_FUZZ)
  target_compile_options(sinew_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# Eigen is most of what a source file parses: precompiled once, it halves the build. Headers still stand alone (the test
# `headers` compiles each without this); -DSINEW_PRECOMPILE=OFF shows a source that forgot an include.
option(SINEW_PRECOMPILE "Use precompiled headers" ON)
file(WRITE ${PROJECT_BINARY_DIR}/empty.cpp "")
function(sinew_precompile target)  # target, then the headers
  if(NOT SINEW_PRECOMPILE)
    return()
  endif()
  target_precompile_headers(${target} PRIVATE ${ARGN})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fpch-preprocess)  # lets ccache see through it
  endif()
endfunction()
function(sinew_reuse_precompiled target from)
  if(NOT SINEW_PRECOMPILE)
    return()
  endif()
  target_precompile_headers(${target} REUSE_FROM ${from})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fpch-preprocess)
  endif()
endfunction()

# Several sources of a module are compiled as one: what they all instantiate is instantiated once, which takes a third off a
# build from scratch. Their unnamed namespaces are then one as well, so names in them differ within a module. OFF rebuilds
# less after a change; the presets dev and asan-ubsan have it off, so that both ways are built.
option(SINEW_UNITY "Compile several sources at once" ON)
set(SINEW_UNITY_SOURCES 5)

add_library(sinew_precompiled OBJECT ${PROJECT_BINARY_DIR}/empty.cpp)
target_link_libraries(sinew_precompiled PRIVATE sinew_flags Eigen3::Eigen fmt::fmt)
target_include_directories(sinew_precompiled SYSTEM PRIVATE ${TL_EXPECTED_INCLUDE_DIR})
sinew_precompile(sinew_precompiled <Eigen/Core> <Eigen/Geometry> <algorithm> <cmath> <filesystem> <functional> <memory> <span>
                 <string> <tl/expected.hpp> <vector> <fmt/format.h>)

# In a browser there are no threads, no file system and no assimp, and the page draws: the folders `web` hold twins of the
# sources that need them. Crowds and motion sets have no place in the page yet, and are left out.
function(sinew_choose_twins variable)
  if(SINEW_WEB)
    list(FILTER ${variable} EXCLUDE REGEX "/core/(file|folder|parallel|parallel_short)[.]cpp$|/image/decode_image[.]cpp$|/io/assimp/|/render/|/ragdoll/|/pipeline/(demo|bake_file|preview_file|edit/plot_file|simulate/bodies)[.]cpp$")
    list(FILTER ${variable} EXCLUDE REGEX "/sinew/(flock|sets)/|/pipeline/(crowd|sets)/")
  else()
    list(FILTER ${variable} EXCLUDE REGEX "/sinew/[a-z]+/web/")
  endif()
  set(${variable} ${${variable}} PARENT_SCOPE)
endfunction()

function(sinew_module name)
  cmake_parse_arguments(ARG "" "" "PUBLIC;MADE;DEPENDS;LIBRARIES;HEADER_LIBRARIES" ${ARGN})
  set(target sinew_${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  sinew_choose_twins(sources)
  if(NOT sources)
    return()
  endif()
  add_library(${target} OBJECT ${sources} ${ARG_MADE})
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  target_include_directories(${target} SYSTEM PUBLIC ${TL_EXPECTED_INCLUDE_DIR})
  target_link_libraries(${target} PRIVATE sinew_flags Eigen3::Eigen fmt::fmt ${ARG_LIBRARIES} ${ARG_HEADER_LIBRARIES})
  sinew_reuse_precompiled(${target} sinew_precompiled)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${SINEW_UNITY} UNITY_BUILD_BATCH_SIZE ${SINEW_UNITY_SOURCES})
  set_property(GLOBAL APPEND PROPERTY sinew_modules ${name})
  set_property(GLOBAL PROPERTY sinew_${name}_depends ${ARG_DEPENDS})
  set_property(GLOBAL PROPERTY sinew_${name}_libraries ${ARG_LIBRARIES} ${ARG_HEADER_LIBRARIES})
  list(TRANSFORM ARG_PUBLIC PREPEND ${name}/)
  set_property(GLOBAL APPEND PROPERTY sinew_public_headers ${ARG_PUBLIC})
  target_sources(sinew PRIVATE $<TARGET_OBJECTS:${target}>)
  target_link_libraries(sinew PRIVATE ${ARG_LIBRARIES})
endfunction()

# Links a program with one module and what that module depends on, and nothing above it: a module's tests need not wait for
# the rest of the library.
function(sinew_link_module program name)
  get_property(depends GLOBAL PROPERTY sinew_${name}_depends)
  foreach(module ${name} ${depends})
    get_property(libraries GLOBAL PROPERTY sinew_${module}_libraries)
    target_link_libraries(${program} PRIVATE sinew_${module} ${libraries})
  endforeach()
endfunction()
