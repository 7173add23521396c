# Elementary functions in the C library's place (src/libm/c_names.cpp says why), for the library and for the browser's core.
add_library(sinew_libm OBJECT src/libm/c_names.cpp)
target_link_libraries(sinew_libm PRIVATE sinew_flags)
target_include_directories(sinew_libm PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_compile_options(sinew_libm PRIVATE -fno-builtin)  # these are the functions, not calls of them

# In the library they get names of their own, and so does every call of them: a program that links it keeps the functions of
# its C library for itself.
if(NOT SINEW_WEB AND CMAKE_OBJCOPY)
  file(STRINGS src/libm/c_names.cpp definitions REGEX "^(double|float|void) [a-z0-9]+[(]")
  list(TRANSFORM definitions REPLACE "^[a-z]+ ([a-z0-9]+)[(].*" "\\1 sinew_\\1")
  list(JOIN definitions "\n" definitions)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/own_names CONTENT "${definitions}\n")
  target_sources(sinew PRIVATE $<TARGET_OBJECTS:sinew_libm>)
  add_custom_command(TARGET sinew POST_BUILD VERBATIM
                     COMMAND ${CMAKE_OBJCOPY} --redefine-syms=${PROJECT_BINARY_DIR}/own_names $<TARGET_FILE:sinew>)
endif()
