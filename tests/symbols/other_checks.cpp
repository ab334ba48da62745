// SPDX-License-Identifier: BSL-1.0
#include <topomp/collective/barrier.hpp>

int main() {}
