// SPDX-License-Identifier: BSL-1.0
/// @file
/// JSON objects of plain values, a line each.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace topo::detail {

/// A JSON object whose values are texts, numbers and truth values; no arrays, no objects, no null. What the
/// library reads and writes itself: it depends on no library for JSON.
class flat_json {
public:
    /// Nothing, and the problem, if it is no such object.
    static std::optional<flat_json> read(std::string_view line, std::string& problem);

    /// Null if there is no such name, or its value is of another type.
    const std::string* text(std::string_view name) const;
    std::optional<double> number(std::string_view name) const;
    std::optional<bool> truth(std::string_view name) const;

    flat_json& add(std::string_view name, std::string_view text);
    flat_json& add(std::string_view name, const char* text) { return add(name, std::string_view{text}); }
    flat_json& add(std::string_view name, double number);
    flat_json& add(std::string_view name, int number) { return add(name, static_cast<double>(number)); }
    flat_json& add(std::string_view name, bool truth);
    std::string line() const;

private:
    enum class type : unsigned char { text, number, truth };
    struct value {
        std::string name;
        type is{};
        std::string text; ///< a number's and a truth value's as they are written
    };

    const value* find(std::string_view name, type is) const;

    std::vector<value> values_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/decide/impl/flat_json.ipp>
#endif
