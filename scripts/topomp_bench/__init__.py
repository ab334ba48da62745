# SPDX-License-Identifier: BSL-1.0
"""What the scripts that measure topomp share, and each of them; docs/benchmarks_method.md says what they measure.

Running: command (one line for what is wrong, builds, notes), processes (limits, several jobs at a time), platforms and
simulation (SimGrid), cluster* (hosts made of network namespaces). Results: samples (JSON, a line each), points, numbers, tables*,
compare, plots. The rest are the scripts themselves. Standard library only, but for matplotlib, which plots imports.
"""
