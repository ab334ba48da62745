# SPDX-License-Identifier: BSL-1.0
# Sphinx's settings; scripts/site runs it on what docs/site/source.py has written.
import os

project = "topomp"
author = "The topomp developers"
copyright = "the topomp developers, Boost Software License 1.0"
release = version = os.environ["TOPOMP_VERSION"]

extensions = ["myst_parser", "breathe"]
breathe_projects = {"topomp": os.environ["TOPOMP_XML"]}
breathe_default_project = "topomp"
breathe_show_include = False
myst_heading_anchors = 4
highlight_language = "none"  # of blocks without a mark, which are output and diagrams

html_theme = "furo"
html_title = f"topomp {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
