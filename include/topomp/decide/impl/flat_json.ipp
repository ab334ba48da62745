// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/decide/detail/flat_json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace topo::detail {

/// Reads one object from left to right.
class flat_json_reader {
public:
    explicit flat_json_reader(std::string_view line) : rest_(line) {}

    const std::string& problem() const { return problem_; }
    bool fail(std::string_view problem) {
        problem_ = problem;
        return false;
    }
    bool is_next(char c) {
        while (!rest_.empty() && std::string_view{" \t\r"}.find(rest_.front()) != rest_.npos)
            rest_.remove_prefix(1);
        return !rest_.empty() && rest_.front() == c;
    }
    bool take(char c) {
        if (!is_next(c)) return false;
        rest_.remove_prefix(1);
        return true;
    }
    bool is_at_end() { return !is_next('\0') && rest_.empty(); }

    bool read_text(std::string& text) {
        if (!take('"')) return fail("a name or a text in quotation marks was expected");
        for (text.clear(); !rest_.empty();) {
            const char c = rest_.front();
            rest_.remove_prefix(1);
            if (c == '"') return true;
            if (static_cast<unsigned char>(c) < ' ') return fail("a text has a control character");
            if (c != '\\') {
                text += c;
                continue;
            }
            constexpr std::string_view escaped = "\"\\/nt", meant = "\"\\/\n\t";
            const auto which = rest_.empty() ? escaped.npos : escaped.find(rest_.front());
            if (which == escaped.npos) return fail("a text has an escape other than \\\" \\\\ \\/ \\n \\t");
            text += meant[which];
            rest_.remove_prefix(1);
        }
        return fail("it is cut off in a text");
    }
    /// A number or a word, up to what cannot belong to it.
    std::string_view read_word() {
        static_cast<void>(is_next(' '));
        const std::size_t length = std::min(rest_.find_first_of(",} \t\r"), rest_.size());
        const std::string_view word = rest_.substr(0, length);
        rest_.remove_prefix(length);
        return word;
    }
    bool is_quoted() { return is_next('"'); }

private:
    std::string_view rest_;
    std::string problem_;
};

TOPOMP_INLINE std::optional<double> number_in(std::string_view text) {
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [behind, problem] = std::from_chars(text.data(), end, value);
    if (problem != std::errc{} || behind != end || !std::isfinite(value)) return std::nullopt;
    return value;
}

TOPOMP_INLINE std::optional<flat_json> flat_json::read(std::string_view line, std::string& problem) {
    flat_json made;
    flat_json_reader in{line};
    const auto read_all = [&] {
        if (!in.take('{')) return in.fail("it is no JSON object");
        if (in.take('}')) return in.is_at_end() || in.fail("something follows the object");
        do {
            value each;
            if (!in.read_text(each.name)) return false;
            if (!in.take(':')) return in.fail("a colon is missing behind '" + each.name + '\'');
            if (std::ranges::find(made.values_, each.name, &value::name) != made.values_.end())
                return in.fail('\'' + each.name + "' is there twice");
            if (in.is_quoted()) {
                if (!in.read_text(each.text)) return false;
            } else {
                each.text = in.read_word();
                each.is = each.text == "true" || each.text == "false" ? type::truth : type::number;
                if (each.is == type::number && !number_in(each.text))
                    return in.fail('\'' + each.name + "' is neither a text nor a number nor true or false");
            }
            made.values_.push_back(std::move(each));
        } while (in.take(','));
        if (!in.take('}')) return in.fail("it is cut off, or a comma is missing");
        return in.is_at_end() || in.fail("something follows the object");
    };
    if (read_all()) return made;
    problem = in.problem();
    return std::nullopt;
}

TOPOMP_INLINE const flat_json::value* flat_json::find(std::string_view name, type is) const {
    const auto found = std::ranges::find(values_, name, &value::name);
    return found == values_.end() || found->is != is ? nullptr : &*found;
}

TOPOMP_INLINE const std::string* flat_json::text(std::string_view name) const {
    const value* const found = find(name, type::text);
    return found == nullptr ? nullptr : &found->text;
}

TOPOMP_INLINE std::optional<double> flat_json::number(std::string_view name) const {
    const value* const found = find(name, type::number);
    return found == nullptr ? std::nullopt : number_in(found->text);
}

TOPOMP_INLINE std::optional<bool> flat_json::truth(std::string_view name) const {
    const value* const found = find(name, type::truth);
    return found == nullptr ? std::nullopt : std::optional{found->text == "true"};
}

TOPOMP_INLINE flat_json& flat_json::add(std::string_view name, std::string_view text) {
    values_.push_back({std::string{name}, type::text, std::string{text}});
    return *this;
}

TOPOMP_INLINE flat_json& flat_json::add(std::string_view name, double number) {
    std::array<char, 32> text{};
    constexpr int digits = 6;
    const bool is_whole = std::abs(number) < 1e15 && number == std::floor(number);
    const auto end =
        is_whole ? std::to_chars(text.data(), text.data() + text.size(), static_cast<long long>(number))
                 : std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::general,
                                 digits);
    values_.push_back({std::string{name}, type::number, std::string{text.data(), end.ptr}});
    return *this;
}

TOPOMP_INLINE flat_json& flat_json::add(std::string_view name, bool truth) {
    values_.push_back({std::string{name}, type::truth, truth ? "true" : "false"});
    return *this;
}

TOPOMP_INLINE std::string flat_json::line() const {
    const auto quoted = [](std::string_view text) {
        std::string made = "\"";
        for (const char c : text) {
            if (c == '"' || c == '\\') made += '\\';
            made += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
        }
        return made + '"';
    };
    std::string made = "{";
    for (const value& each : values_) {
        if (made.size() > 1) made += ',';
        made += quoted(each.name) + ':' + (each.is == type::text ? quoted(each.text) : each.text);
    }
    return made + '}';
}

} // namespace topo::detail
