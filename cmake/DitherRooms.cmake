# A room is a folder, a library, a namespace. Its tests and benchmarks sit beside its sources.
#
#   dither_room(random USES base LIBS OpenSSL::Crypto SOURCES source.cc discrete_laplace.cc)
#   dither_test(random source_test.cc discrete_laplace_test.cc)
#   dither_bench(random discrete_laplace_bench.cc)
#   dither_fuzz(base rational_fuzz.cc)

set_property(GLOBAL PROPERTY DITHER_DEFERRED_TESTS "")

# The room's library. USES names rooms, LIBS names other people's libraries.
function(dither_room room)
  cmake_parse_arguments(ARG "" "" "USES;LIBS;SOURCES" ${ARGN})
  add_library(dither_${room} STATIC ${ARG_SOURCES})
  target_include_directories(dither_${room} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  list(TRANSFORM ARG_USES PREPEND dither_)
  target_link_libraries(dither_${room} PUBLIC ${ARG_USES} ${ARG_LIBS})
endfunction()

# One executable a file, so that a changed source rebuilds and reruns little. Linked after all rooms exist.
function(dither_test room)
  foreach(source ${ARGN})
    set_property(GLOBAL APPEND PROPERTY DITHER_DEFERRED_TESTS "test|${room}|${CMAKE_CURRENT_SOURCE_DIR}/${source}")
  endforeach()
endfunction()

function(dither_bench room)
  foreach(source ${ARGN})
    set_property(GLOBAL APPEND PROPERTY DITHER_DEFERRED_TESTS "bench|${room}|${CMAKE_CURRENT_SOURCE_DIR}/${source}")
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

# Called once at the end: tests may link dither_testing, which itself stands on the rooms.
function(dither_add_deferred_tests)
  get_property(entries GLOBAL PROPERTY DITHER_DEFERRED_TESTS)
  foreach(entry ${entries})
    string(REPLACE "|" ";" parts ${entry})
    list(GET parts 0 kind)
    list(GET parts 1 room)
    list(GET parts 2 source)
    get_filename_component(name ${source} NAME_WE)
    if(kind STREQUAL "test" AND BUILD_TESTING)
      add_executable(${room}_${name} ${source})
      target_link_libraries(${room}_${name} PRIVATE dither_${room} dither_test_main)
      if(room STREQUAL "audit")
        target_link_libraries(${room}_${name} PRIVATE audit_mutants)
      endif()
      # What is tested is optimised; the tests themselves need to compile fast.
      target_compile_options(${room}_${name} PRIVATE $<$<CONFIG:Release>:-O1 -g0>)
      file(STRINGS ${source} reads_the_checkout REGEX DITHER_SOURCE_DIR LIMIT_COUNT 1)
      if(reads_the_checkout) # only these: a path in the command line keeps ccache from serving another checkout
        target_compile_definitions(${room}_${name} PRIVATE DITHER_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
      endif()
      set_target_properties(${room}_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests/${room})
      add_test(NAME ${room}/${name} COMMAND ${room}_${name})
      set_tests_properties(${room}/${name} PROPERTIES LABELS ${room})
    elseif(kind STREQUAL "bench" AND DITHER_BENCHMARKS)
      add_executable(${room}_${name} ${source})
      target_link_libraries(${room}_${name} PRIVATE dither_${room} dither_testing benchmark::benchmark_main)
      set_target_properties(${room}_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench/${room})
    endif()
  endforeach()
endfunction()
