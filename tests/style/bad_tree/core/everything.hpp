#include <topomp/topomp.hpp>
