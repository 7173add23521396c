# Install rules: the library with find_package(sinew CONFIG) and pkg-config, the headers, the program.
include(CMakePackageConfigHelpers)

install(TARGETS sinew EXPORT sinewTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY src/sinew DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h" PATTERN "*-inl.h" EXCLUDE)
install(EXPORT sinewTargets NAMESPACE sinew:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)

configure_package_config_file(cmake/sinewConfig.cmake.in ${PROJECT_BINARY_DIR}/sinewConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/sinewConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/sinewConfig.cmake ${PROJECT_BINARY_DIR}/sinewConfigVersion.cmake
              cmake/dependencies.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)

configure_file(cmake/sinew.pc.in ${PROJECT_BINARY_DIR}/sinew.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/sinew.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
