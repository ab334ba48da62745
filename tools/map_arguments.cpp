// SPDX-License-Identifier: BSL-1.0
#include "map.hpp"
#include <topomp/core/error.hpp>
#include <topomp/hardware/detail/text_file.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string_view>

namespace topo::tool {

namespace {

constexpr std::string_view map_command = "topomp map";

[[noreturn]] void refuse(const std::string& object, const std::string& problem) {
    throw argument_error(map_command, object, problem);
}

std::int64_t read_number(const std::string& object, std::string_view text) {
    std::int64_t number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem != std::errc{} || end != text.data() + text.size() || text.empty())
        refuse(object, '\'' + std::string{text} + "' is not a number");
    return number;
}

int read_int(const std::string& object, std::string_view text) {
    const std::int64_t number = read_number(object, text);
    if (number > std::numeric_limits<int>::max() || number < std::numeric_limits<int>::min())
        refuse(object, std::string{text} + " is more than an int can hold");
    return static_cast<int>(number);
}

std::vector<std::string_view> pieces(std::string_view text, char separator) {
    std::vector<std::string_view> result;
    while (true) {
        const auto end = text.find(separator);
        result.push_back(text.substr(0, end));
        if (end == text.npos) return result;
        text.remove_prefix(end + 1);
    }
}

std::vector<int> read_dims(const std::string& text) {
    std::vector<int> dims;
    for (const auto piece : pieces(text, 'x'))
        dims.push_back(read_int("--dims " + text, piece));
    return dims;
}

std::vector<bool> read_periods(const std::string& text, std::size_t dimensions) {
    if (text.empty()) return {};
    std::vector<bool> periods;
    for (const auto piece : pieces(text, ',')) {
        if (piece != "0" && piece != "1")
            refuse("--periodic " + text, "'" + std::string{piece} + "' is neither 0 nor 1");
        periods.push_back(piece == "1");
    }
    if (periods.size() != dimensions)
        refuse("--periodic " + text,
               std::to_string(periods.size()) + " values for " + std::to_string(dimensions) + " dimensions");
    return periods;
}

/// A line per offset: a step along each dimension, and a weight if it is not 1.
stencil read_stencil(const std::string& path, std::size_t dimensions) {
    std::vector<stencil::offset> offsets;
    for (const auto& line :
         detail::text_lines(detail::read_text_file(map_command, path), detail::line_joining::never)) {
        const std::string object = path + ", " + line.place(0);
        std::vector<std::int64_t> numbers;
        for (const auto word : pieces(line.text(), ' '))
            if (!word.empty()) numbers.push_back(read_number(object, word));
        if (numbers.size() != dimensions && numbers.size() != dimensions + 1)
            refuse(object, std::to_string(numbers.size()) + " numbers; there are " +
                               std::to_string(dimensions) + " steps, and a weight or none");
        stencil::offset next;
        if (numbers.size() > dimensions) next.weight = numbers.back();
        for (std::size_t i = 0; i < dimensions; ++i) {
            if (numbers[i] != static_cast<int>(numbers[i]) || numbers[i] == std::numeric_limits<int>::min())
                refuse(object, std::to_string(numbers[i]) + " is too long a step");
            next.steps.push_back(static_cast<int>(numbers[i]));
        }
        offsets.push_back(std::move(next));
    }
    return stencil{std::move(offsets)};
}

stencil read_pattern(const map_arguments& arguments, std::size_t dimensions) {
    const auto named = [&] {
        if (arguments.pattern == "star") return stencil::star(dimensions);
        if (arguments.pattern == "moore") return stencil::moore(dimensions);
        if (arguments.pattern == "diagonal") return stencil::diagonal(dimensions);
        return read_stencil(arguments.pattern, dimensions);
    };
    if (arguments.weights.empty()) return named();
    std::vector<std::int64_t> weights;
    for (const auto piece : pieces(arguments.weights, ','))
        weights.push_back(read_number("--weights " + arguments.weights, piece));
    return named().weighted(weights);
}

constexpr std::size_t most_nodes = std::size_t{1} << 24;

/// `20x48,40`: twenty nodes of 48 and one of 40.
std::vector<int> read_node_sizes(const std::string& text) {
    const std::string object = "--node-sizes " + text;
    std::vector<int> sizes;
    for (const auto piece : pieces(text, ',')) {
        const auto cross = piece.find('x');
        const int count = cross == piece.npos ? 1 : read_int(object, piece.substr(0, cross));
        const int size = read_int(object, cross == piece.npos ? piece : piece.substr(cross + 1));
        if (count < 1 || size < 1)
            refuse(object, '\'' + std::string{piece} + "' is no number of nodes and ranks");
        if (sizes.size() + static_cast<std::size_t>(count) > most_nodes)
            refuse(object, "more nodes than " + std::to_string(most_nodes));
        sizes.insert(sizes.end(), static_cast<std::size_t>(count), size);
    }
    return sizes;
}

/// How many ranks the dims stand for; 0 if some are open or they are too many, which the plan refuses.
std::int64_t cells_of(const std::vector<int>& dims) {
    std::int64_t cells = 1;
    for (const int each : dims) {
        if (each <= 0) return 0;
        cells *= each;
        if (cells > std::numeric_limits<int>::max()) return 0;
    }
    return cells;
}

/// As many full nodes as the ranks fill.
std::vector<int> equal_nodes(const map_arguments& arguments, const std::vector<int>& dims) {
    const int size = *arguments.per_node;
    const std::int64_t ranks = arguments.ranks ? *arguments.ranks : cells_of(dims);
    if (ranks == 0) {
        const bool is_open = std::ranges::count(dims, 0) > 0;
        if (is_open)
            refuse("--dims " + arguments.dims, "0 leaves an extent open: --ranks has to say for how many");
        return {size}; // the plan says what is wrong
    }
    if (ranks % size != 0) {
        const std::string rest = std::to_string(ranks % size);
        refuse("--per-node " + std::to_string(size),
               std::to_string(ranks) + " ranks do not fill such nodes; say --node-sizes " +
                   (ranks > size ? std::to_string(ranks / size) + 'x' + std::to_string(size) + ',' : "") +
                   rest + " if the last one has " + rest);
    }
    return std::vector<int>(static_cast<std::size_t>(ranks / size), size);
}

/// Each size cut into so many, as equal as can be, the larger ones first.
std::vector<int> cut(const std::vector<int>& sizes, int count) {
    std::vector<int> parts;
    for (const int size : sizes)
        for (int i = 0; i < std::min(count, size); ++i)
            parts.push_back(size / count + (i < size % count ? 1 : 0));
    return parts;
}

} // namespace

grid_request read_map_arguments(const map_arguments& arguments) {
    grid_request request;
    request.dims = read_dims(arguments.dims);
    request.periods = read_periods(arguments.periodic, request.dims.size());
    request.pattern = read_pattern(arguments, request.dims.size());
    request.node_sizes =
        arguments.per_node ? equal_nodes(arguments, request.dims) : read_node_sizes(arguments.node_sizes);
    const auto ranks = std::accumulate(request.node_sizes.begin(), request.node_sizes.end(), std::int64_t{0});
    if (arguments.ranks && ranks != *arguments.ranks)
        refuse("--ranks " + std::to_string(*arguments.ranks),
               "the nodes have " + std::to_string(ranks) + " together");
    constexpr int most_drawn = 1 << 16;
    if (arguments.format == "svg" && !arguments.emit && ranks > most_drawn)
        refuse("--format svg",
               std::to_string(ranks) + " cells; at most " + std::to_string(most_drawn) + " are drawn");
    if (!arguments.parts.empty())
        for (const auto piece : pieces(arguments.parts, ',')) {
            const int count = read_int("--parts " + arguments.parts, piece);
            if (count < 1) refuse("--parts " + arguments.parts, std::to_string(count) + " is not positive");
            request.parts.push_back(
                cut(request.parts.empty() ? request.node_sizes : request.parts.back(), count));
        }
    request.first = arguments.first == "jmax" ? mapping_goal::greatest : mapping_goal::total;
    const auto algorithm = mapping_algorithm_from_string(arguments.algorithm);
    if (!algorithm) {
        std::string known;
        for (const auto& each : detail::mapping_algorithm_names)
            known.append(known.empty() ? "" : ", ").append(each.name);
        refuse("--algorithm " + arguments.algorithm, "unknown; known are " + known);
    }
    request.algorithm = *algorithm;
    return request;
}

} // namespace topo::tool
