// SPDX-License-Identifier: BSL-1.0
/// @file
/// The exceptions that topomp throws for anything but a failed MPI call (see core/mpi.hpp for those).
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace topo {

/// Base of every topomp exception that is not a failed MPI call.
///
/// `what()` names the call, the object it worked on and the value that was wrong, in that order:
/// `topo::machine::parse: "node:2 foo:3", column 8: unknown kind 'foo'`.
class error : public std::runtime_error {
public:
    /// Composes `what()` from the three.
    error(std::string_view call, std::string_view object, std::string_view problem)
        : std::runtime_error(compose(call, object, problem)) {}

    /// Takes a finished sentence: for an error that another rank raised and that is thrown again here.
    explicit error(const std::string& message) : std::runtime_error(message) {}

private:
    static std::string compose(std::string_view call, std::string_view object, std::string_view problem);
};

/// Text that topomp read is malformed or describes something impossible; `what()` names the place.
class input_error : public error {
    using error::error;
};

/// An argument has a value that the call cannot work with: a null communicator, a CPU outside the machine.
class argument_error : public error {
    using error::error;
};

/// A call outside the period in which MPI may be used: before `MPI_Init` or after `MPI_Finalize`.
class usage_error : public error {
    using error::error;
};

/// The operating system or hwloc refused something: a file that cannot be read, a topology that cannot load.
class system_error : public error {
    using error::error;
};

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/core/impl/error.ipp>
#endif
