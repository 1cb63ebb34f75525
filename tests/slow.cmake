# Read by CTest when it starts: gives the test cases of `folder` that are tagged [slow] the label and a
# longer time. `binary` called with `list_names` names them.
if(NOT EXISTS "${binary}")
  return()
endif()
execute_process(COMMAND "${binary}" [slow] ${list_names}
  OUTPUT_VARIABLE names ERROR_QUIET)
string(REGEX REPLACE "\n$" "" names "${names}")
string(REPLACE "\n" ";" names "${names}")
foreach(name IN LISTS names)
  set_tests_properties("${folder}/${name}" PROPERTIES LABELS slow TIMEOUT 1800)
endforeach()
