// SPDX-License-Identifier: BSL-1.0
#include "output.hpp"

#include <topomp/core/error.hpp>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>

namespace topo::tool {

void write_output(std::string_view call, const std::optional<std::string>& file,
                  const std::function<void(std::ostream&)>& write) {
    if (!file) {
        write(std::cout);
        std::cout << std::flush;
        if (!std::cout) throw system_error(call, "standard output", std::strerror(errno));
        return;
    }
    std::ofstream out{*file};
    if (out) write(out);
    out << std::flush;
    if (!out) throw system_error(call, *file, std::strerror(errno));
}

void write_output(std::string_view call, const std::optional<std::string>& file, const std::string& text) {
    write_output(call, file, [&](std::ostream& out) { out << text; });
}

} // namespace topo::tool
