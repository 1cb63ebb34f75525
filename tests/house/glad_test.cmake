# A build that finds a CMake package `glad` uses that; one that doesn't generates its own.
# Configures Lockstep at SOURCE twice below BINARY: beside a stub of a package, and without.

function(configure folder)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${BINARY}/${folder} -G Ninja -DLOCKSTEP_TESTS=OFF ${ARGN}
    OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "configuring failed:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
  file(READ ${BINARY}/${folder}/build.ninja rules)
  string(FIND "${rules}" "-m glad" at)
  set(generates TRUE PARENT_SCOPE)
  if(at EQUAL -1)
    set(generates FALSE PARENT_SCOPE)
  endif()
endfunction()

file(REMOVE_RECURSE ${BINARY})
file(WRITE ${BINARY}/stub/lib/cmake/glad/gladConfig.cmake
  "add_library(glad::glad INTERFACE IMPORTED)\n")

configure(with_package -DCMAKE_PREFIX_PATH=${BINARY}/stub)
if(generates OR NOT output MATCHES "glad: CMake package, glad::glad from ${BINARY}/stub/")
  message(FATAL_ERROR "the package was there and not used:\n${output}")
endif()

configure(without -DCMAKE_DISABLE_FIND_PACKAGE_glad=ON)
if(NOT generates OR NOT output MATCHES "glad: generated")
  message(FATAL_ERROR "there was no package, and nothing is generated:\n${output}")
endif()
