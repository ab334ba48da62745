// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/hardware/detail/text_file.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/model/level_cost.hpp>
#include <topomp/model/machine_parameters.hpp>
#include <topomp/model/measured_messages.hpp>
#include <topomp/model/plogp.hpp>

#include <iomanip>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace topo::model {

namespace detail {

/// Reads the text of `machine_parameters` line by line.
class parameters_reader {
public:
    explicit parameters_reader(const std::string& file) : file_(file) {}

    machine_parameters read(const std::string& text);

private:
    static constexpr const char* call = "topo::model::machine_parameters::read";

    [[noreturn]] void fail(const std::string& problem) const;

    /// A value that must be a finite number of at least `least`.
    template <class T>
    T value(std::istream& words, const char* what, T least) const {
        T result{};
        if (!(words >> result) || result < least) fail(std::string{"expected a "} + what);
        return result;
    }
    std::string rest(std::istream& words) const;
    void end(std::istream& words) const;

    void read_line(const std::string& what, std::istream& words);

    void read_level_line(const std::string& what, std::istream& words);

    /// Builds a level's tables from its lines.
    void end_level();

    std::string file_;
    machine_parameters result_;
    std::vector<plogp::row> rows_;
    double latency_ = 0;
    std::size_t number_ = 0;
    bool has_format_ = false;
};

} // namespace detail

TOPOMP_INLINE std::vector<level_model<measured_messages>> machine_parameters::models() const {
    std::vector<level_model<measured_messages>> result;
    for (const level& each : levels)
        result.push_back({each.members, each.messages});
    return result;
}

TOPOMP_INLINE void machine_parameters::write(std::ostream& out) const {
    out << "# What topomp measure found: times in seconds, lengths in bytes, rates in bytes a second.\n"
           "format 1\n"
        << std::setprecision(9);
    for (const auto& [key, value] : notes)
        out << "note " << key << ' ' << value << '\n';
    if (!copies.empty()) out << "# copy BYTES RATE: memcpy by one rank\n";
    for (const copy& each : copies)
        out << "copy " << each.bytes << ' ' << each.bytes_per_second << '\n';
    if (!levels.empty())
        out << "# level MEMBERS KIND: inside an object of this kind\n"
               "# message BYTES SEND_OVERHEAD RECEIVE_OVERHEAD GAP TIME: TIME is half a round trip\n"
               "# spread BYTES SEND_OVERHEAD RECEIVE_OVERHEAD GAP TIME: the distance of the quartiles over "
               "the median\n"
               "# flows NUMBER RATE: so many ranks of one member send at a time, and reach that together\n"
               "# outside RATE: all its ranks send at a time, to ranks all over the machine\n";
    for (const level& each : levels) {
        out << "level " << each.members << ' ' << to_string(each.inside) << '\n'
            << "latency " << each.messages.single.latency() << '\n';
        if (each.flag_latency > 0) out << "flag " << each.flag_latency << '\n';
        for (const auto& row : each.messages.single.rows())
            out << "message " << row.bytes << ' ' << row.send_overhead << ' ' << row.receive_overhead << ' '
                << row.gap << ' ' << each.messages.time(row.bytes) << '\n';
        for (const auto& spread : each.spreads)
            out << "spread " << spread.bytes << ' ' << spread.send_overhead << ' ' << spread.receive_overhead
                << ' ' << spread.gap << ' ' << spread.time << '\n';
        for (const auto& rate : each.messages.rates)
            out << "flows " << rate.flows << ' ' << rate.bytes_per_second << '\n';
        if (each.outside_rate > 0) out << "outside " << each.outside_rate << '\n';
    }
}

} // namespace topo::model

namespace topo::model::detail {

TOPOMP_INLINE machine_parameters parameters_reader::read(const std::string& text) {
    std::istringstream in{text};
    for (std::string line; std::getline(in, line);) {
        ++number_;
        std::istringstream words{line.substr(0, line.starts_with('#') ? 0 : line.npos)};
        if (std::string what; words >> what) read_line(what, words);
    }
    if (!has_format_) fail("it has no line 'format 1'");
    end_level();
    return std::move(result_);
}

TOPOMP_INLINE void parameters_reader::fail(const std::string& problem) const {
    throw input_error(call, file_ + ", line " + std::to_string(number_), problem);
}

TOPOMP_INLINE std::string parameters_reader::rest(std::istream& words) const {
    std::string text;
    std::getline(words >> std::ws, text);
    return text;
}

TOPOMP_INLINE void parameters_reader::end(std::istream& words) const {
    if (const std::string text = rest(words); !text.empty()) fail("unexpected '" + text + "'");
}

TOPOMP_INLINE void parameters_reader::read_line(const std::string& what, std::istream& words) {
    if (what == "format") {
        if (value(words, "format", 1) != 1) fail("only format 1 is known");
        has_format_ = true;
        return end(words);
    }
    if (what == "note") {
        std::string key;
        words >> key;
        result_.notes.emplace_back(key, rest(words));
        return;
    }
    if (what == "copy") {
        const double bytes = value(words, "length", 0.0);
        result_.copies.push_back({bytes, value(words, "rate", 0.0)});
        return end(words);
    }
    if (what == "level") {
        end_level();
        const int members = value(words, "number of members", 1);
        const std::string name = rest(words);
        const auto inside = kind_from_string(name);
        if (!inside) fail("unknown kind '" + name + "'");
        result_.levels.push_back({*inside, members, 0, {}});
        return;
    }
    if (what != "latency" && what != "flag" && what != "message" && what != "spread" && what != "flows" &&
        what != "outside")
        fail("unknown word '" + what + "'");
    if (result_.levels.empty()) fail("'" + what + "' before the first level");
    read_level_line(what, words);
    end(words);
}

TOPOMP_INLINE void parameters_reader::read_level_line(const std::string& what, std::istream& words) {
    auto& level = result_.levels.back();
    if (what == "latency") {
        latency_ = value(words, "latency", 0.0);
    } else if (what == "flag") {
        level.flag_latency = value(words, "latency", 0.0);
    } else if (what == "outside") {
        level.outside_rate = value(words, "rate", 0.0);
    } else if (what == "spread") {
        machine_parameters::level::spread read;
        read.bytes = value(words, "length", 0.0);
        for (double* const each : {&read.send_overhead, &read.receive_overhead, &read.gap, &read.time})
            *each = value(words, "spread", 0.0);
        level.spreads.push_back(read);
    } else if (what == "flows") {
        const int flows = value(words, "number of ranks", 1);
        if (!level.messages.rates.empty() && flows <= level.messages.rates.back().flows)
            fail("lines of flows must ascend");
        level.messages.rates.push_back({flows, value(words, "rate", 0.0)});
    } else {
        plogp::row row;
        row.bytes = value(words, "length", 0.0);
        for (double* const each : {&row.send_overhead, &row.receive_overhead, &row.gap})
            *each = value(words, "time", 0.0);
        if (!rows_.empty() && row.bytes <= rows_.back().bytes) fail("lines of messages must ascend");
        rows_.push_back(row);
        level.messages.trips.push_back({row.bytes, value(words, "time", 0.0)});
    }
}

TOPOMP_INLINE void parameters_reader::end_level() {
    if (result_.levels.empty()) return;
    if (rows_.empty()) fail("a level without a line of messages ends before");
    result_.levels.back().messages.single = plogp{latency_, std::exchange(rows_, {})};
    latency_ = 0;
}

} // namespace topo::model::detail

namespace topo::model {

TOPOMP_INLINE machine_parameters machine_parameters::read(const std::string& file) {
    return read_text(file, topo::detail::read_text_file("topo::model::machine_parameters::read", file));
}

TOPOMP_INLINE machine_parameters machine_parameters::read_text(const std::string& name,
                                                               const std::string& text) {
    return detail::parameters_reader{name}.read(text);
}

} // namespace topo::model
