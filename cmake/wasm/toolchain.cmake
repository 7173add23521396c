# The core for a browser: Debian's clang for wasm32-wasi (script/studio installs it). The preset `wasm` uses it.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
find_program(SINEW_WASM_CLANG NAMES clang++-22 clang++-19 REQUIRED)
set(CMAKE_CXX_COMPILER ${SINEW_WASM_CLANG})
string(REPLACE "clang++" "clang" CMAKE_C_COMPILER ${SINEW_WASM_CLANG})
set(CMAKE_AR ar CACHE FILEPATH "Not used: objects are linked as they are")
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)  # nothing can be run here
# No exceptions: a throw ends the instance, and the page starts another one. SIMD is in every browser since 2023.
set(CMAKE_C_FLAGS_INIT "-Wno-deprecated -msimd128")
set(CMAKE_CXX_FLAGS_INIT "-Wno-deprecated -msimd128 -fignore-exceptions -fno-rtti")
set(CMAKE_EXECUTABLE_SUFFIX .wasm)
