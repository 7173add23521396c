# Install rules: the library with find_package(sinew CONFIG) and pkg-config, and its public headers. All other headers stay
# inside: nobody outside can include them, so they may change.
include(CMakePackageConfigHelpers)

install(TARGETS sinew EXPORT sinewTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
get_property(public_headers GLOBAL PROPERTY sinew_public_headers)
foreach(header sinew.h ${public_headers})
  cmake_path(GET header PARENT_PATH folder)
  install(FILES src/sinew/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sinew/${folder} COMPONENT headers)
endforeach()
install(EXPORT sinewTargets NAMESPACE sinew:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)

configure_package_config_file(cmake/sinewConfig.cmake.in ${PROJECT_BINARY_DIR}/sinewConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/sinewConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/sinewConfig.cmake ${PROJECT_BINARY_DIR}/sinewConfigVersion.cmake
              cmake/dependencies.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)

file(RELATIVE_PATH SINEW_PREFIX_FROM_PC ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/sinew.pc.in ${PROJECT_BINARY_DIR}/sinew.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/sinew.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# The studio's page, where script/studio has built it; `sinew studio` finds it there.
install(DIRECTORY build/studio/ DESTINATION ${CMAKE_INSTALL_DATADIR}/sinew/studio OPTIONAL)
