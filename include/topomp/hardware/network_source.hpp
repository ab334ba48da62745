// SPDX-License-Identifier: BSL-1.0
/// @file
/// The kinds of sources that a `network` can hold.
#pragma once

#include <topomp/core/error.hpp>
#include <topomp/hardware/slurm_address.hpp>
#include <topomp/hardware/switch_table.hpp>
#include <topomp/hardware/text_problem.hpp>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace topo::detail {

inline constexpr std::string_view switches_of_call = "topo::network::switches_of";

/// Something that knows the switches above a host; shared by all copies of a `network`.
class network_source {
public:
    network_source() = default;
    network_source(const network_source&) = delete;
    network_source& operator=(const network_source&) = delete;
    virtual ~network_source() = default;

    virtual std::vector<std::string> switches_of(const std::string& host) const = 0;
    /// Whether each switch above a host, and the host itself, has all hosts that are below the switch before
    /// it; empty where the source does not know the other hosts.
    virtual std::vector<bool> filling(const std::string&) const { return {}; }
    virtual std::string_view name() const noexcept = 0;
};

class slurm_environment_source final : public network_source {
public:
    std::vector<std::string> switches_of(const std::string&) const override { return read_slurm_address(); }
    std::string_view name() const noexcept override { return slurm_address_variable; }
};

/// A file that is read when the first host is asked for; after a failure the next question reads it again.
class file_source final : public network_source {
public:
    using reader = switch_table (*)(const std::filesystem::path&);

    file_source(std::filesystem::path path, reader read)
        : path_(std::move(path)), name_(path_.string()), read_(read) {}

    std::vector<std::string> switches_of(const std::string& host) const override {
        return table().switches_of(switches_of_call, host, name_);
    }
    std::vector<bool> filling(const std::string& host) const override {
        return table().filling(switches_of_call, host, name_);
    }
    std::string_view name() const noexcept override { return name_; }

private:
    const switch_table& table() const {
        const std::lock_guard<std::mutex> lock{mutex_};
        if (!table_) table_ = std::make_unique<const switch_table>(read_(path_));
        return *table_;
    }

    std::filesystem::path path_;
    std::string name_;
    reader read_;
    mutable std::mutex mutex_;
    mutable std::unique_ptr<const switch_table> table_;
};

class callback_source final : public network_source {
public:
    using function = std::function<std::vector<std::string>(const std::string& host)>;

    explicit callback_source(function callback) : callback_(std::move(callback)) {
        if (!callback_) throw argument_error("topo::network::callback", "callback", "an empty std::function");
    }

    std::vector<std::string> switches_of(const std::string& host) const override {
        std::vector<std::string> switches = callback_(host);
        for (std::size_t depth = 0; depth < switches.size(); ++depth)
            if (switches[depth].empty())
                throw input_error(switches_of_call, "callback for host " + in_quotes(host),
                                  "an empty name for switch " + std::to_string(depth));
        return switches;
    }
    std::string_view name() const noexcept override { return "callback"; }

private:
    function callback_;
};

} // namespace topo::detail
