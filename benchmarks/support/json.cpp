// SPDX-License-Identifier: BSL-1.0
#include "json.hpp"

#include <nlohmann/json.hpp>

#include <utility>

namespace topo_bench {

struct json::data {
    nlohmann::ordered_json value;
};

json::json(data&& of) : data_(std::make_unique<data>(std::move(of))) {}
json::json(std::initializer_list<member> members) : json(data{nlohmann::ordered_json::object()}) {
    for (const member& each : members)
        set(each.name, each.value);
}
json::json(bool value) : json(data{value}) {}
json::json(int value) : json(data{value}) {}
json::json(long value) : json(data{value}) {}
json::json(long long value) : json(data{value}) {}
json::json(std::size_t value) : json(data{value}) {}
json::json(double value) : json(data{value}) {}
json::json(const char* text) : json(std::string_view{text}) {}
json::json(const std::string& text) : json(std::string_view{text}) {}
json::json(std::string_view text) : json(data{text}) {}
json::json(std::span<const int> list) : json(data{list}) {}
json::json(std::span<const std::size_t> list) : json(data{list}) {}
json::json(const json& other) : data_(std::make_unique<data>(*other.data_)) {}
json::json(json&& other) noexcept = default;
json& json::operator=(json other) noexcept {
    std::swap(data_, other.data_);
    return *this;
}
json::~json() = default;

void json::set(std::string_view name, const json& value) {
    data_->value[std::string{name}] = value.data_->value;
}
void json::update(const json& other) { data_->value.update(other.data_->value); }
std::string json::text() const {
    return data_->value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

} // namespace topo_bench
