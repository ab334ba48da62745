#include <topomp/hierarchy/quoted.hpp>
