// SPDX-License-Identifier: BSL-1.0
/// @file
/// Sums that are rounded once: each rank adds all ranks' operands of a part of the elements.
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/exact/exact_call.hpp>
#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/progress/scratch_buffer.hpp>

#include <cstddef>
#include <vector>

namespace topo::detail {

/// A reproducible sum in progress. Rank r gets all ranks' operands of part r as they are, adds them exactly,
/// and sends the sums to the ranks that need them. So no sum is rounded that is not final, and what is sent
/// is not longer than the operands.
///
/// @cost with n elements on p ranks: n (p - 1) / p elements to and from each rank in up to p - 1 messages,
/// and for the results as many again (none for blocks); memory for n elements, for prefixes 2 n
/// @see R. Thakur, R. Rabenseifner and W. Gropp (2005), section 4.4: a reduction as a scatter of the operands
template <class T>
class exact_operation : public operation {
public:
    void start(context& ranks, exact_call<T> call, int tag);

protected:
    bool advance() override;

private:
    enum class step { operands, results, end };

    std::size_t begin(int part) const { return begins_[static_cast<std::size_t>(part)]; }
    std::size_t length(int part) const { return begin(part + 1) - begin(part); }
    std::size_t own() const { return length(rank_); }
    const T* row(std::size_t rank) const;
    T* prefix(std::size_t rank) const;

    void exchange_operands();
    void add_up();
    void send_sums();
    void send_prefixes();

    void send(const T* from, std::size_t count, int to);
    void receive(T* to, std::size_t count, int from);

    exact_call<T> call_;
    step step_ = step::end;
    int rank_ = 0, size_ = 1, tag_ = 0;
    MPI_Comm private_comm_ = MPI_COMM_NULL;
    std::vector<std::size_t> begins_; ///< of the parts, and the end
    scratch_buffer operands_, sums_;  ///< of the calling rank's part, a row for each rank
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/algorithm/exact/impl/exact_operation.ipp>
#endif
