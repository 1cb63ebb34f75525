# cmake -DFIRST=PROGRAM -DSECOND=PROGRAM -DLESSONS=FOLDER -P compare.cmake
# Fails unless both programs print the same about the lessons; the two may be one.

function(run program result)
  execute_process(COMMAND ${program} ${LESSONS} OUTPUT_VARIABLE said RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${program} ended with ${code}")
  endif()
  set(${result} "${said}" PARENT_SCOPE)
endfunction()

run(${FIRST} first)
run(${SECOND} second)
if(NOT first STREQUAL second)
  message(FATAL_ERROR "two runs of one scenario differ.\n${FIRST}:\n${first}\n${SECOND}:\n${second}"
    "Look for something that is not said by the scenario: a member without its default, an order of "
    "evaluation, of pointers or of hashes, a float.")
endif()
string(REGEX MATCHALL "\n" runs "${first}")
list(LENGTH runs runs)
message(STATUS "${runs} runs are equal, byte for byte")
