# sinew_module(NAME SOURCES … [DEPENDS module …] [LIBRARIES external …])
#
# Declares one module of src/sinew: its sources, the modules whose headers it may include, and the outside libraries that
# it alone uses. All modules end in the one library `sinew`. tests/house/layering_test.py reads these same lines and
# checks every #include against them.
add_library(sinew STATIC)
add_library(sinew::sinew ALIAS sinew)
target_compile_features(sinew PUBLIC cxx_std_20)
target_include_directories(sinew PUBLIC
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_include_directories(sinew SYSTEM PUBLIC $<BUILD_INTERFACE:${TL_EXPECTED_INCLUDE_DIR}>)
target_link_libraries(sinew PUBLIC Eigen3::Eigen Threads::Threads)

# Flags for everything we compile: warnings, sanitizers, assertions, and no fused multiply-adds or fast-math that would
# make results depend on the machine.
add_library(sinew_flags INTERFACE)
target_compile_options(sinew_flags INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Wno-psabi
                       -Wno-missing-field-initializers -ffp-contract=off)
if(SINEW_SANITIZE)
  target_compile_options(sinew_flags INTERFACE -fsanitize=${SINEW_SANITIZE} -fno-omit-frame-pointer
                         -fno-sanitize-recover=all -O1)
  target_link_options(sinew_flags INTERFACE -fsanitize=${SINEW_SANITIZE})
endif()
if(SINEW_SANITIZE OR CMAKE_BUILD_TYPE STREQUAL "Debug")
  target_compile_definitions(sinew_flags INTERFACE SINEW_ENABLE_ASSERTS)
endif()
if(SINEW_BUILD_FUZZ)
  target_compile_options(sinew_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

function(sinew_module name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;LIBRARIES" ${ARGN})
  set(target sinew_${name})
  add_library(${target} OBJECT ${ARG_SOURCES})
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  target_include_directories(${target} SYSTEM PUBLIC ${TL_EXPECTED_INCLUDE_DIR})
  target_link_libraries(${target} PRIVATE sinew_flags Eigen3::Eigen fmt::fmt ${ARG_LIBRARIES})
  target_sources(sinew PRIVATE $<TARGET_OBJECTS:${target}>)
  target_link_libraries(sinew PRIVATE ${ARG_LIBRARIES})
endfunction()
