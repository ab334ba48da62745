#include <topomp/core/detail/internal.hpp>
#include <topomp/core/everything.hpp>
