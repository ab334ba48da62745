// SPDX-License-Identifier: BSL-1.0
#include "terminal.hpp"

#include "launch.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <unistd.h>

namespace topo::tool {

colours colours_of(int descriptor) {
    const char* const none = std::getenv("NO_COLOR");
    const char* const terminal = std::getenv("TERM");
    const bool is_plain = (none != nullptr && *none != '\0') || terminal == nullptr ||
                          std::string_view{terminal} == "dumb" || isatty(descriptor) == 0;
    // Asked again, because MPI_Init adds variables only where a launcher or srun was there before.
    if (is_plain || detect_launch().by != launcher::none) return {};
    return {"\033[1m", "\033[32m", "\033[31m", "\033[33m", "\033[0m"};
}

std::string wrapped(std::string_view text, std::size_t width) {
    std::string result;
    std::size_t column = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, end);
        if (column > 0 && column + 1 + word.size() > width) {
            result += '\n';
            column = 0;
        } else if (column > 0) {
            result += ' ';
            ++column;
        }
        result += word;
        column += word.size();
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return result;
}

std::size_t terminal_width() {
    constexpr std::size_t usual = 100, least = 60, most = 200;
    const char* const said = std::getenv("COLUMNS");
    const long columns = said != nullptr ? std::strtol(said, nullptr, 10) : 0;
    return columns > 0 ? std::clamp(static_cast<std::size_t>(columns), least, most) : usual;
}

} // namespace topo::tool
