# Install rules: the library with find_package(sinew CONFIG) and pkg-config, the headers, the program.
