// SPDX-License-Identifier: BSL-1.0
/// @file
/// Sources of switches other than the environment: files, and functions of the program.
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/hardware/detail/network_source.hpp>
#include <topomp/hardware/detail/switch_table.hpp>

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace topo::detail {

/// A file that is read when the first host is asked for; after a failure the next query reads it again.
class file_source final : public network_source {
public:
    using reader = switch_table (*)(const std::string&);

    file_source(std::string name, reader read);

    TOPOMP_INLINE std::vector<std::string> switches_of(const std::string& host) const override;
    TOPOMP_INLINE std::vector<bool> filling(const std::string& host) const override;
    std::string_view name() const noexcept override { return name_; }

private:
    const switch_table& table() const;

    std::string name_;
    reader read_;
    mutable std::mutex mutex_;
    mutable std::unique_ptr<const switch_table> table_;
};

class callback_source final : public network_source {
public:
    using function = std::function<std::vector<std::string>(const std::string& host)>;

    explicit callback_source(function callback);

    TOPOMP_INLINE std::vector<std::string> switches_of(const std::string& host) const override;
    std::string_view name() const noexcept override { return "callback"; }

private:
    function callback_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/hardware/impl/network_files.ipp>
#endif
