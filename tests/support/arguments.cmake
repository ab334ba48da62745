# SPDX-License-Identifier: BSL-1.0
# For scripts run as `cmake -D... -P script.cmake -- arguments`: sets `arguments` to what follows the "--".
set(arguments "")
set(seen FALSE)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(index RANGE ${last})
    # Only the first "--" is ours: what follows may be a script's command line again.
    if(seen)
        list(APPEND arguments "${CMAKE_ARGV${index}}")
    elseif("${CMAKE_ARGV${index}}" STREQUAL "--")
        set(seen TRUE)
    endif()
endforeach()
