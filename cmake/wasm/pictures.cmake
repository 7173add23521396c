# pictures.wasm: the library's own decoder of pictures with the distribution's libpng, libjpeg-turbo and libwebp, so that the
# pixels are those of the command line. An instance of its own, for damaged pictures end it. Without their sources there is
# no such file, and the core tells that it cannot decode.
set(pictures ${PROJECT_BINARY_DIR}/pictures)
file(GLOB found ${SINEW_WASM_SOURCES}/libpng1.6-[0-9]* ${SINEW_WASM_SOURCES}/libjpeg-turbo-[0-9]* ${SINEW_WASM_SOURCES}/libwebp-[0-9]*)
list(LENGTH found count)
if(count LESS 3)
  return()
endif()
sinew_wasm_source(png "libpng1.6-[0-9]*/")
sinew_wasm_source(jpeg "libjpeg-turbo-[0-9]*/")
sinew_wasm_source(webp "libwebp-[0-9]*/")
configure_file(${png}/scripts/pnglibconf.h.prebuilt ${pictures}/pnglibconf.h COPYONLY)
configure_file(${jpeg}/jversion.h.in ${pictures}/jversion.h)
file(WRITE ${pictures}/jconfig.h [[
#pragma once
#define JPEG_LIB_VERSION 62
#define LIBJPEG_TURBO_VERSION 2.1.5
#define LIBJPEG_TURBO_VERSION_NUMBER 2001005
#define C_ARITH_CODING_SUPPORTED 1
#define D_ARITH_CODING_SUPPORTED 1
#define MEM_SRCDST_SUPPORTED 1
#define BITS_IN_JSAMPLE 8
]])
file(WRITE ${pictures}/jconfigint.h [[
#pragma once
#define BUILD ""
#define INLINE inline
#define THREAD_LOCAL
#define PACKAGE_NAME "libjpeg-turbo"
#define VERSION ""
#define SIZEOF_SIZE_T 4
#define HAVE_BUILTIN_CTZL
#define FALLTHROUGH __attribute__((fallthrough));
]])
set(sources)
foreach(name png pngerror pngget pngmem pngpread pngread pngrio pngrtran pngrutil pngset pngtrans pngwio pngwrite pngwtran
        pngwutil)
  list(APPEND sources ${png}/${name}.c)
endforeach()
foreach(name jaricom jcomapi jdapimin jdapistd jdarith jdatasrc jdcoefct jdcolor jddctmgr jdhuff jdicc jdinput jdmainct jdmarker
        jdmaster jdmerge jdphuff jdpostct jdsample jdtrans jerror jidctflt jidctfst jidctint jidctred jmemmgr jmemnobs jquant1
        jquant2 jsimd_none jutils)
  list(APPEND sources ${jpeg}/${name}.c)
endforeach()
file(GLOB decoders ${webp}/src/dec/*.c ${webp}/src/dsp/*.c ${webp}/src/utils/*.c)
list(FILTER decoders EXCLUDE REGEX "_(sse2|sse41|neon|msa|mips32|mips_dsp_r2)[.]c$|/(enc|cost|ssim|lossless_enc)[.]c$|encode|bit_writer|quant_levels_utils")
add_executable(sinew_pictures EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/src/web/pictures/pictures.cpp
               ${PROJECT_SOURCE_DIR}/src/sinew/image/decode_image.cpp ${PROJECT_SOURCE_DIR}/src/sinew/image/image_type.cpp
               ${sources} ${decoders})
target_include_directories(sinew_pictures SYSTEM BEFORE PRIVATE ${PROJECT_SOURCE_DIR}/cmake/wasm/pictures ${pictures} ${png} ${jpeg} ${webp}
                           ${webp}/src ${TL_EXPECTED_INCLUDE_DIR})
target_include_directories(sinew_pictures PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_compile_options(sinew_pictures PRIVATE -w)
target_link_libraries(sinew_pictures PRIVATE ZLIB::ZLIB)
set_target_properties(sinew_pictures PROPERTIES OUTPUT_NAME pictures SUFFIX .wasm UNITY_BUILD OFF)
target_link_options(sinew_pictures PRIVATE -mexec-model=reactor -Wl,--gc-sections,--strip-all,--stack-first,--max-memory=2147483648
                    -Wl,-z,stack-size=1048576)
