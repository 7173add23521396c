# What the core needs in a browser, under the names that the native build knows. Libraries that are only headers are linked
# from the distribution's, each alone, for its other headers are the host's. The rest is compiled from the distribution's
# source packages, which script/studio unpacks into SINEW_WASM_SOURCES.
set(SINEW_WASM_SOURCES ${PROJECT_SOURCE_DIR}/build/wasm-sources CACHE PATH "Unpacked source packages: zlib, draco, meshoptimizer")
set(sinew_wasm_headers ${PROJECT_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${sinew_wasm_headers})
foreach(header eigen3/Eigen fmt hwy nlohmann tl)
  find_path(found_${header} ${header} PATHS /usr/include REQUIRED NO_CACHE)
  cmake_path(GET header FILENAME name)
  file(CREATE_LINK ${found_${header}}/${header} ${sinew_wasm_headers}/${name} SYMBOLIC)
endforeach()
# Checks name their file: without the folder of this clone, what it compiled serves another one's cache too.
add_compile_options(-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
include_directories(SYSTEM ${sinew_wasm_headers})
set(TL_EXPECTED_INCLUDE_DIR ${sinew_wasm_headers})

foreach(name Eigen3::Eigen tl::expected Threads::Threads TBB::tbb fmt::fmt hwy::hwy nlohmann_json::nlohmann_json)
  add_library(${name} INTERFACE IMPORTED)
endforeach()
# Eigen with the packets, the registers and the alignment that it has on a PC, so that sums are taken in the same order and
# the bits are the same: sse/ has the instructions that it asks for. Of the versions of GCC that clang can pretend to be,
# this one makes Eigen use no assembly.
target_include_directories(Eigen3::Eigen SYSTEM INTERFACE ${CMAKE_CURRENT_LIST_DIR}/sse)
target_compile_definitions(Eigen3::Eigen INTERFACE __SSE2__ EIGEN_MAX_STATIC_ALIGN_BYTES=16 EIGEN_ARCH_DEFAULT_NUMBER_OF_REGISTERS=16)
target_compile_options(Eigen3::Eigen INTERFACE -fgnuc-version=5.13)
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY)
target_compile_definitions(hwy::hwy INTERFACE HWY_COMPILE_ONLY_STATIC)

function(sinew_wasm_source variable pattern)
  file(GLOB found ${SINEW_WASM_SOURCES}/${pattern})
  if(NOT found)
    message(FATAL_ERROR "There is no ${SINEW_WASM_SOURCES}/${pattern}: script/studio brings it")
  endif()
  list(GET found 0 found)
  set(${variable} ${found} PARENT_SCOPE)
endfunction()
# Other people's code: without our warnings.
function(sinew_wasm_library name target include)  # then the sources
  add_library(${target} OBJECT ${ARGN})
  add_library(${name} INTERFACE IMPORTED)
  target_include_directories(${target} SYSTEM PRIVATE ${include} ${PROJECT_BINARY_DIR}/made)
  target_include_directories(${name} SYSTEM INTERFACE ${include} ${PROJECT_BINARY_DIR}/made)
  target_link_libraries(${name} INTERFACE $<TARGET_OBJECTS:${target}>)
  target_compile_options(${target} PRIVATE -w)
endfunction()

sinew_wasm_source(zlib "zlib-[0-9]*/")
file(GLOB sources ${zlib}/adler32.c ${zlib}/crc32.c ${zlib}/deflate.c ${zlib}/inf*.c ${zlib}/trees.c ${zlib}/zutil.c ${zlib}/compress.c
     ${zlib}/uncompr.c)
sinew_wasm_library(ZLIB::ZLIB sinew_zlib ${zlib} ${sources})

sinew_wasm_source(meshoptimizer "meshoptimizer-[0-9]*/")
sinew_wasm_library(meshoptimizer::meshoptimizer sinew_meshoptimizer ${meshoptimizer}/src ${meshoptimizer}/src/indexcodec.cpp
                   ${meshoptimizer}/src/vertexfilter.cpp ${meshoptimizer}/src/allocator.cpp)

sinew_wasm_source(draco "draco-[0-9]*/")
file(GLOB_RECURSE sources ${draco}/src/draco/attributes/*.cc ${draco}/src/draco/compression/*.cc ${draco}/src/draco/core/*.cc
     ${draco}/src/draco/mesh/*.cc ${draco}/src/draco/metadata/*.cc ${draco}/src/draco/point_cloud/*.cc)
list(FILTER sources EXCLUDE REGEX "_test|encode[.]|encoder|encoding[.]cc|test_utils|draco_compression_options|cycle_timer|mesh_features|structural_metadata|property_table|mesh_splitter|mesh_utils|mesh_connected|equivalent")
sinew_wasm_library(draco::draco sinew_draco ${draco}/src ${sources})
file(WRITE ${PROJECT_BINARY_DIR}/made/draco/draco_features.h [[
#pragma once
#define DRACO_POINT_CLOUD_COMPRESSION_SUPPORTED
#define DRACO_MESH_COMPRESSION_SUPPORTED
#define DRACO_NORMAL_ENCODING_SUPPORTED
#define DRACO_STANDARD_EDGEBREAKER_SUPPORTED
#define DRACO_PREDICTIVE_EDGEBREAKER_SUPPORTED
#define DRACO_BACKWARDS_COMPATIBILITY_SUPPORTED
#define DRACO_ATTRIBUTE_INDICES_DEDUPLICATION_SUPPORTED
#define DRACO_ATTRIBUTE_VALUES_DEDUPLICATION_SUPPORTED
]])

# What the page does itself, or leaves to the command line: pictures, Collada and the rest.
foreach(name PNG::PNG JPEG::JPEG PkgConfig::WEBP GIF::GIF assimp::assimp PkgConfig::BULLET)
  add_library(${name} INTERFACE IMPORTED)
endforeach()
