#include "split.hpp"
