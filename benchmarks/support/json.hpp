// SPDX-License-Identifier: BSL-1.0
/// @file
/// JSON objects, which nlohmann::json writes: out of the programs' sight, since its header compiles for
/// seconds.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace topo_bench {

/// A JSON value, mostly an object whose members stay in the order in which they were written.
class json {
public:
    struct member;

    json(std::initializer_list<member> members = {}); ///< an object
    json(bool value);
    json(int value);
    json(long value);
    json(long long value);
    json(std::size_t value);
    json(double value);
    json(const char* text);
    json(std::string_view text);
    json(const std::string& text);
    json(std::span<const int> list);
    json(std::span<const std::size_t> list);
    json(const json& other);
    json(json&& other) noexcept;
    json& operator=(json other) noexcept;
    ~json();

    /// Adds a member, or replaces its value.
    void set(std::string_view name, const json& value);
    /// The same with all members of another object.
    void update(const json& other);
    /// On one line; what is no UTF-8 becomes a replacement character.
    std::string text() const;

private:
    struct data;
    explicit json(data&& of);
    std::unique_ptr<data> data_;
};

struct json::member {
    /// @param of anything that a value is made of
    template <class T>
    member(std::string_view called, const T& of) : name(called), value(of) {}

    std::string_view name;
    json value;
};

} // namespace topo_bench
