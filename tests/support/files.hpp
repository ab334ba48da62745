// SPDX-License-Identifier: BSL-1.0
/// @file
/// Files for tests: those of tests/data, and temporary ones.
#pragma once

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <stdlib.h>
#include <string>

namespace topo_test {

/// A file of tests/data.
inline std::filesystem::path data_file(const std::string& name) {
    return std::filesystem::path{__FILE__}.parent_path().parent_path() / "data" / name;
}

/// A new directory that goes with the object, and all in it.
class temporary_directory {
public:
    temporary_directory() {
        std::string pattern = (std::filesystem::temp_directory_path() / "topomp-test-XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp " + pattern);
        path_ = pattern;
    }
    temporary_directory(const temporary_directory&) = delete;
    temporary_directory& operator=(const temporary_directory&) = delete;
    ~temporary_directory() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    const std::filesystem::path& path() const noexcept { return path_; }

    /// Writes a file of this content and says where it is.
    std::filesystem::path file(const std::string& name, const std::string& content) const {
        const auto where = path_ / name;
        std::ofstream out{where, std::ios::binary};
        if (!(out << content) || !out.flush()) throw std::runtime_error("cannot write " + where.string());
        return where;
    }

private:
    std::filesystem::path path_;
};

} // namespace topo_test
