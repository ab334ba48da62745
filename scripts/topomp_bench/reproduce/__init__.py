# SPDX-License-Identifier: BSL-1.0
"""scripts/reproduce: the papers' figures and tables with topomp. A module a paper says what is run and what becomes of it;
runs, pictures and the page are the same for all."""
