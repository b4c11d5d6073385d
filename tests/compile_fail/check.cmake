# Compiles one snippet twice: with -DCONTROL it must pass, without it must fail for the reason on its `// Expect:` line.
#   cmake -DCOMPILER=... -DFLAGS=... -DINCLUDE=... -DSNIPPET=... -P check.cmake
set(ENV{LC_ALL} C) # plain quotes in the messages
separate_arguments(flags UNIX_COMMAND "${FLAGS}")
set(command ${COMPILER} ${flags} -std=gnu++20 -fsyntax-only -I${INCLUDE} ${SNIPPET})
file(STRINGS ${SNIPPET} expect REGEX "^// Expect: ")
string(REPLACE "// Expect: " "" expect "${expect}")
if(expect STREQUAL "")
  message(FATAL_ERROR "${SNIPPET} has no line `// Expect: reason`")
endif()

execute_process(COMMAND ${command} -DCONTROL RESULT_VARIABLE status ERROR_VARIABLE output)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "the control does not compile:\n${output}")
endif()
execute_process(COMMAND ${command} RESULT_VARIABLE status ERROR_VARIABLE output)
if(status EQUAL 0)
  message(FATAL_ERROR "this compiles, but must not: ${SNIPPET}")
endif()
if(NOT output MATCHES "${expect}")
  message(FATAL_ERROR "fails, but not with \"${expect}\":\n${output}")
endif()
