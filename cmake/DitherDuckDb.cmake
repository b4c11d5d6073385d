# The header and the library of DuckDB, which ./dev installs and pins by checksum (tools/duckdb.py). The library is not linked: it
# is loaded when the first source is opened, so that whoever prices a statement pays nothing for it.
set(DITHER_DUCKDB_VERSION 1.5.6)
if(DEFINED ENV{DITHER_DUCKDB})
  set(DITHER_DUCKDB $ENV{DITHER_DUCKDB})
elseif(DEFINED ENV{XDG_CACHE_HOME})
  set(DITHER_DUCKDB $ENV{XDG_CACHE_HOME}/dither/duckdb-${DITHER_DUCKDB_VERSION})
else()
  set(DITHER_DUCKDB $ENV{HOME}/.cache/dither/duckdb-${DITHER_DUCKDB_VERSION})
endif()
if(NOT DEFINED ENV{DITHER_DUCKDB} AND NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  message(FATAL_ERROR "The pinned DuckDB is for x86-64, but this build is for ${CMAKE_SYSTEM_PROCESSOR}: let the "
                      "environment variable DITHER_DUCKDB name a folder with a libduckdb.so for it and the duckdb.h "
                      "that belongs to it")
endif()
if(SKBUILD AND NOT DEFINED ENV{DITHER_DUCKDB} AND NOT (EXISTS ${DITHER_DUCKDB}/duckdb.h AND EXISTS
                                                     ${DITHER_DUCKDB}/libduckdb.so)) # `pip install`
  execute_process(COMMAND python3 ${PROJECT_SOURCE_DIR}/tools/duckdb.py COMMAND_ERROR_IS_FATAL ANY)
endif()
if(NOT EXISTS ${DITHER_DUCKDB}/duckdb.h OR NOT EXISTS ${DITHER_DUCKDB}/libduckdb.so)
  message(FATAL_ERROR "DuckDB is not in ${DITHER_DUCKDB}: run `./dev build`, which installs it, or let the environment "
                      "variable DITHER_DUCKDB name a folder with libduckdb.so and the duckdb.h that belongs to it")
endif()
if(DEFINED ENV{DITHER_DUCKDB}) # another copy: the version is the one that it says
  execute_process(COMMAND python3 -c "import ctypes, sys; f = ctypes.CDLL(sys.argv[1]).duckdb_library_version; \
f.restype = ctypes.c_char_p; print(f().decode().removeprefix('v'))" ${DITHER_DUCKDB}/libduckdb.so
                  OUTPUT_VARIABLE DITHER_DUCKDB_VERSION OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
endif()
add_library(duckdb_header INTERFACE)
target_include_directories(duckdb_header SYSTEM INTERFACE ${DITHER_DUCKDB})
target_compile_definitions(duckdb_header INTERFACE DITHER_DUCKDB="${DITHER_DUCKDB}" DITHER_DUCKDB_VERSION="${DITHER_DUCKDB_VERSION}")
