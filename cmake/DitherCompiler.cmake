# One place for the compiler's switches; every room gets the same.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS ON) # __int128 is an integer type to the library only with extensions
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -g1 -DNDEBUG")
set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g")

find_program(DITHER_CCACHE ccache)
if(DITHER_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${DITHER_CCACHE})
endif()
find_program(DITHER_MOLD mold)
if(DITHER_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

# A compiler newer than ours may know more warnings, which is no reason to fail those who `pip install` from source.
if(SKBUILD)
  option(DITHER_WERROR "a warning fails the build" OFF)
else()
  option(DITHER_WERROR "a warning fails the build" ON)
endif()

# Numbers must mean the same on every machine: no contraction, no fast-math, no x87 surprises.
add_compile_options(-Wall -Wextra $<$<BOOL:${DITHER_WERROR}>:-Werror> -Wshadow -Wnon-virtual-dtor -Wold-style-cast
                    -Wundef -ffp-contract=off -fno-fast-math -fstack-protector-strong)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-Wno-restrict) # g++ 12 reports string concatenation that is right (GCC bug 105651)
endif()
add_compile_definitions(_GLIBCXX_ASSERTIONS)

set(DITHER_SANITIZE "" CACHE STRING "address,undefined or thread")
if(DITHER_SANITIZE)
  add_compile_options(-fsanitize=${DITHER_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${DITHER_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-maybe-uninitialized) # g++ 12 sees paths that sanitizers add and nobody takes (105562)
  endif()
endif()

if(DITHER_FUZZERS)
  add_compile_options(-fsanitize=fuzzer-no-link) # every room reports its branches to the fuzzer
endif()

# What a debugger needs lies beside the program, which finds it there.
function(dither_split_symbols program)
  if(CMAKE_BUILD_TYPE STREQUAL "Release" AND CMAKE_OBJCOPY)
    add_custom_command(TARGET ${program} POST_BUILD
                       COMMAND ${CMAKE_OBJCOPY} --only-keep-debug $<TARGET_FILE:${program}> $<TARGET_FILE:${program}>.debug
                       COMMAND ${CMAKE_OBJCOPY} --strip-debug --add-gnu-debuglink=$<TARGET_FILE:${program}>.debug
                               $<TARGET_FILE:${program}>
                       VERBATIM)
  endif()
endfunction()
