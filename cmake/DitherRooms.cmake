# A room is a folder, a library, a namespace. Its tests and benchmarks sit beside its sources.
#
# The tests of a room are one program, tests/<room>/<room>_tests; what runs them starts a process for each file.
#
#   dither_room(random USES base LIBS OpenSSL::Crypto SOURCES source.cc discrete_laplace.cc)
#   dither_test(random source_test.cc discrete_laplace_test.cc)
#   dither_bench(random discrete_laplace_bench.cc)
#   dither_fuzz(base rational_fuzz.cc)

set_property(GLOBAL PROPERTY DITHER_DEFERRED "")

# The room's library. USES names rooms, LIBS names other people's libraries.
function(dither_room room)
  cmake_parse_arguments(ARG "" "" "USES;LIBS;SOURCES" ${ARGN})
  add_library(dither_${room} STATIC ${ARG_SOURCES})
  target_include_directories(dither_${room} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  list(TRANSFORM ARG_USES PREPEND dither_)
  target_link_libraries(dither_${room} PUBLIC ${ARG_USES} ${ARG_LIBS})
endfunction()

# Linked after all rooms exist.
function(dither_test room)
  foreach(source ${ARGN})
    set_property(GLOBAL APPEND PROPERTY DITHER_DEFERRED "test|${room}|${CMAKE_CURRENT_SOURCE_DIR}/${source}")
  endforeach()
endfunction()

function(dither_bench room)
  foreach(source ${ARGN})
    set_property(GLOBAL APPEND PROPERTY DITHER_DEFERRED "bench|${room}|${CMAKE_CURRENT_SOURCE_DIR}/${source}")
  endforeach()
endfunction()

# A libFuzzer target; needs clang, so it is built in the fuzz preset alone.
function(dither_fuzz room)
  if(NOT DITHER_FUZZERS)
    return()
  endif()
  foreach(source ${ARGN})
    get_filename_component(name ${source} NAME_WE)
    add_executable(${room}_${name} ${source})
    target_link_libraries(${room}_${name} PRIVATE dither_${room})
    target_include_directories(${room}_${name} PRIVATE ${PROJECT_SOURCE_DIR}) # headers of testing/
    target_link_options(${room}_${name} PRIVATE -fsanitize=fuzzer)
    set_target_properties(${room}_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz/${room})
  endforeach()
endfunction()

# The tests of a room as one program.
function(dither_add_tests room sources)
  set(program ${room}_tests)
  add_executable(${program} ${sources})
  target_link_libraries(${program} PRIVATE dither_${room} dither_test_main)
  if(room STREQUAL "audit")
    target_link_libraries(${program} PRIVATE audit_mutants)
  endif()
  # What is tested is optimised; the tests themselves need to compile fast, and to take little room.
  target_compile_options(${program} PRIVATE $<$<CONFIG:Release>:-O1 -g0>)
  target_link_options(${program} PRIVATE $<$<CONFIG:Release>:-Wl,--strip-debug>)
  foreach(source ${sources})
    file(STRINGS ${source} reads_the_checkout REGEX DITHER_SOURCE_DIR LIMIT_COUNT 1)
    if(reads_the_checkout) # only these: a path in the command line keeps ccache from serving another checkout
      set_property(SOURCE ${source} APPEND PROPERTY COMPILE_DEFINITIONS DITHER_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    endif()
  endforeach()
  set_target_properties(${program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests/${room})
  add_test(NAME ${room} COMMAND ${program})
  set_tests_properties(${room} PROPERTIES LABELS ${room})
endfunction()

# Called once at the end: tests may link dither_testing, which itself stands on the rooms.
function(dither_add_deferred)
  get_property(entries GLOBAL PROPERTY DITHER_DEFERRED)
  set(rooms "")
  foreach(entry ${entries})
    string(REPLACE "|" ";" parts ${entry})
    list(GET parts 0 kind)
    list(GET parts 1 room)
    list(GET parts 2 source)
    get_filename_component(name ${source} NAME_WE)
    if(kind STREQUAL "test")
      list(APPEND rooms ${room})
      list(APPEND tests_of_${room} ${source})
    elseif(kind STREQUAL "bench" AND DITHER_BENCHMARKS)
      add_executable(${room}_${name} ${source})
      target_link_libraries(${room}_${name} PRIVATE dither_${room} dither_testing benchmark::benchmark_main)
      set_target_properties(${room}_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench/${room})
    endif()
  endforeach()
  if(BUILD_TESTING)
    list(REMOVE_DUPLICATES rooms)
    foreach(room ${rooms})
      dither_add_tests(${room} "${tests_of_${room}}")
    endforeach()
  endif()
endfunction()
