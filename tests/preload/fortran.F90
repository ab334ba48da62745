! SPDX-License-Identifier: BSL-1.0
! What Fortran passes that C does not: constants that are variables, handles that are numbers, logicals; with -DF08 the
! module mpi_f08, whose error codes may be left out. Prints what comes out.
program fortran
#ifdef OPEN_MPI
#define PERSISTENT(verb) mpix_/**/verb/**/_init
#define STARTS 3
#else
! MPICH's own (4.0.2) fail if they are started again, or several at a time.
#define STARTS 1
#define PERSISTENT(verb) mpi_/**/verb/**/_init
#endif
#ifdef F08
    use mpi_f08
#ifdef OPEN_MPI
    use mpi_f08_ext
#endif
    implicit none
    type(MPI_Comm) :: comm, grid
#define OR_CODE
#else
    use mpi
#ifdef OPEN_MPI
    use mpi_ext
#endif
    implicit none
    integer :: comm, grid
#define OR_CODE , code
#endif
    integer :: code, rank, ranks, i, provided, values(3), total
    integer, allocatable :: all(:), counts(:), places(:), mine(:), gathered(:), scattered(:), unequal(:), exchanged(:)
    integer, allocatable :: gathered_v(:)
    double precision :: sums(2), parts(2)
    integer :: dims(2)
    logical :: periods(2)
    integer :: sent(4), near(4), ones(4), turned(4)
    integer(kind=MPI_ADDRESS_KIND) :: near_bytes(4)
#ifdef F08
    type(MPI_Request) :: requests(16)
    type(MPI_Datatype), allocatable :: kinds(:)
    type(MPI_Datatype) :: near_kinds(16)
#else
    integer :: requests(16)
    integer, allocatable :: kinds(:)
    integer :: near_kinds(16)
#endif
    integer, parameter :: starts = STARTS
    integer :: which, done, places_done(16), parts_of_mine(6)

    call mpi_init_thread(MPI_THREAD_SINGLE, provided OR_CODE)
    call mpi_comm_rank(MPI_COMM_WORLD, rank OR_CODE)
    call mpi_comm_size(MPI_COMM_WORLD, ranks OR_CODE)
    allocate(kinds(ranks), all(3 * ranks), counts(ranks), places(ranks), mine(ranks))
    allocate(gathered(ranks), gathered_v(ranks), scattered(ranks), unequal(ranks), exchanged(ranks))

    values = -1
    if (rank == ranks - 1) values = [1, 2, 3]
    call mpi_bcast(values, 3, MPI_INTEGER, ranks - 1, MPI_COMM_WORLD OR_CODE)
    call say('bcast', sum(values))
    values = rank
    call mpi_allreduce(MPI_IN_PLACE, values, 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD OR_CODE)
    call say('allreduce', sum(values))
    parts = [rank + 0.5d0, 2d0 * rank]
    call mpi_reduce(parts, sums, 2, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD OR_CODE)
    if (rank == 0) print '(a, 2f12.3)', 'reduce', sums
    values = rank
    call mpi_gather(values, 3, MPI_INTEGER, all, 3, MPI_INTEGER, 0, MPI_COMM_WORLD OR_CODE)
    call say('gather', sum(all * [(i, i = 1, 3 * ranks)]))
    all = [(i, i = 1, 3 * ranks)]
    call mpi_scatter(all, 3, MPI_INTEGER, values, 3, MPI_INTEGER, 0, MPI_COMM_WORLD OR_CODE)
    call total_of('scatter', sum(values) * (rank + 1))
    all(3 * rank + 1 : 3 * rank + 3) = rank
    call mpi_allgather(MPI_IN_PLACE, 0, MPI_INTEGER, all, 3, MPI_INTEGER, MPI_COMM_WORLD OR_CODE)
    call say('allgather', sum(all * [(i, i = 1, 3 * ranks)]))

    counts = [(mod(i, 3), i = 1, ranks)]
    places = [(3 * (ranks - i), i = 1, ranks)]
    all = 0
    values = rank + 1
    call mpi_gatherv(values, counts(rank + 1), MPI_INTEGER, all, counts, places, MPI_INTEGER, 0, &
        MPI_COMM_WORLD OR_CODE)
    call say('gatherv', sum(all * [(i, i = 1, 3 * ranks)]))
    all = [(i, i = 1, 3 * ranks)]
    values = 0
    call mpi_scatterv(all, counts, places, MPI_INTEGER, values, counts(rank + 1), MPI_INTEGER, 0, &
        MPI_COMM_WORLD OR_CODE)
    call total_of('scatterv', sum(values) * (rank + 1))
    all = 0
    values = rank + 1
    call mpi_allgatherv(values, counts(rank + 1), MPI_INTEGER, all, counts, places, MPI_INTEGER, &
        MPI_COMM_WORLD OR_CODE)
    call total_of('allgatherv', sum(all * [(i, i = 1, 3 * ranks)]))

    mine = [(rank * ranks + i, i = 1, ranks)]
    call mpi_alltoall(MPI_IN_PLACE, 0, MPI_INTEGER, mine, 1, MPI_INTEGER, MPI_COMM_WORLD OR_CODE)
    call total_of('alltoall', sum(mine * [(i, i = 1, ranks)]))
    counts = 1
    places = [(i - 1, i = 1, ranks)]
    all = 0
    call mpi_alltoallv(mine, counts, places, MPI_INTEGER, all, counts, places, MPI_INTEGER, MPI_COMM_WORLD OR_CODE)
    call total_of('alltoallv', sum(all(1 : ranks) * [(i, i = 1, ranks)]) * (rank + 1))
    kinds = MPI_INTEGER
    all = 0
    call mpi_alltoallw(mine, counts, 4 * places, kinds, all, counts, 8 * places, kinds, MPI_COMM_WORLD OR_CODE)
    call total_of('alltoallw', sum(all * [(i, i = 1, 3 * ranks)]) * (rank + 1))
    all(1 : 2 * ranks - 1 : 2) = mine
    call mpi_alltoallw(MPI_IN_PLACE, counts, places, kinds, all, counts, 8 * places, kinds, MPI_COMM_WORLD OR_CODE)
    call total_of('alltoallw in place', sum(all * [(i, i = 1, 3 * ranks)]) * (rank + 1))
    call mpi_reduce_scatter_block(mine, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD OR_CODE)
    call total_of('reduce_scatter_block', total * (rank + 1))
    call mpi_reduce_scatter(mine, total, counts, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD OR_CODE)
    call total_of('reduce_scatter', total * (rank + 1))
    call mpi_scan(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD OR_CODE)
    call total_of('scan', total * (rank + 1))
    total = 0
    call mpi_exscan(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD OR_CODE)
    call total_of('exscan', total * (rank + 1))
    call mpi_barrier(MPI_COMM_WORLD OR_CODE)

    ! In the background; waited for in all of MPI's ways.
    values = -1
    if (rank == 0) values = [4, 5, 6]
    total = -1
    parts = [rank + 0.5d0, 2d0 * rank]
    all = -1
    all(3 * rank + 1 : 3 * rank + 3) = rank
    mine = [(rank * ranks + i, i = 1, ranks)]
    call mpi_ibarrier(MPI_COMM_WORLD, requests(1) OR_CODE)
    call mpi_ibcast(values, 3, MPI_INTEGER, 0, MPI_COMM_WORLD, requests(2) OR_CODE)
    call mpi_ireduce(rank, total, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, requests(3) OR_CODE)
    call mpi_iallreduce(MPI_IN_PLACE, parts, 2, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, requests(4) OR_CODE)
    call mpi_iallgather(MPI_IN_PLACE, 0, MPI_INTEGER, all, 3, MPI_INTEGER, MPI_COMM_WORLD, requests(5) OR_CODE)
    call mpi_ialltoall(MPI_IN_PLACE, 0, MPI_INTEGER, mine, 1, MPI_INTEGER, MPI_COMM_WORLD, requests(6) OR_CODE)
    gathered = -1
    call mpi_igather(rank, 1, MPI_INTEGER, gathered, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, requests(7) OR_CODE)
    scattered = [(i * i, i = 1, ranks)]
    call mpi_iscatter(scattered, 1, MPI_INTEGER, parts_of_mine(1), 1, MPI_INTEGER, 0, MPI_COMM_WORLD, requests(8) OR_CODE)
    unequal = -1
    unequal(places(rank + 1) + 1) = rank
    call mpi_iallgatherv(MPI_IN_PLACE, 0, MPI_INTEGER, unequal, counts, places, MPI_INTEGER, MPI_COMM_WORLD, &
        requests(9) OR_CODE)
    call mpi_ialltoallv(scattered, counts, places, MPI_INTEGER, exchanged, counts, places, MPI_INTEGER, MPI_COMM_WORLD, &
        requests(10) OR_CODE)
    parts_of_mine(2) = rank
    call mpi_iscan(MPI_IN_PLACE, parts_of_mine(2), 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(11) OR_CODE)
    parts_of_mine(3) = 0
    call mpi_iexscan(rank, parts_of_mine(3), 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(12) OR_CODE)
    call mpi_ireduce_scatter_block(scattered, parts_of_mine(4), 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(13) OR_CODE)
    call mpi_ireduce_scatter(scattered, parts_of_mine(5), counts, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, requests(14) OR_CODE)
    gathered_v = -1
    call mpi_igatherv(rank, 1, MPI_INTEGER, gathered_v, counts, places, MPI_INTEGER, 0, MPI_COMM_WORLD, &
        requests(15) OR_CODE)
    call mpi_iscatterv(scattered, counts, places, MPI_INTEGER, parts_of_mine(6), 1, MPI_INTEGER, 0, MPI_COMM_WORLD, &
        requests(16) OR_CODE)
    call mpi_wait(requests(6), MPI_STATUS_IGNORE OR_CODE)
    done = 1
    call mpi_waitany(16, requests, which, MPI_STATUS_IGNORE OR_CODE)
    call say('one of them', merge(1, 0, which >= 0 .and. which <= 16)) ! MPICH's mpi_f08 (4.0.2) counts from 0
    do while (done < 15)
        call mpi_waitsome(16, requests, which, places_done, MPI_STATUSES_IGNORE OR_CODE)
        if (which == MPI_UNDEFINED) exit
        done = done + which
    end do
    call mpi_waitsome(16, requests, which, places_done, MPI_STATUSES_IGNORE OR_CODE)
    call say('nothing left', merge(1, 0, which == MPI_UNDEFINED .and. done == 15))
    call total_of('ibcast', sum(values) * (rank + 1))
    call say('ireduce', total)
    if (rank == 0) print '(a, 2f12.3)', 'iallreduce', parts
    call total_of('iallgather', sum(all * [(i, i = 1, 3 * ranks)]))
    call total_of('ialltoall', sum(mine * [(i, i = 1, ranks)]))
    call say('igather', sum(gathered * [(i, i = 1, ranks)]))
    call say('igatherv', sum(gathered_v * [(i, i = 1, ranks)]))
    call total_of('iallgatherv', sum(unequal * [(i, i = 1, ranks)]))
    call total_of('ialltoallv', sum(exchanged * [(i, i = 1, ranks)]) * (rank + 1))
    do i = 1, 6
        call total_of('iscatter, iscan, iexscan, ireduce_scatter_block, ireduce_scatter, iscatterv', &
            parts_of_mine(i) * (rank + 1))
    end do

    ! Made once, started several times.
    call PERSISTENT(barrier)(MPI_COMM_WORLD, MPI_INFO_NULL, requests(1) OR_CODE)
    call PERSISTENT(bcast)(values, 3, MPI_INTEGER, 0, MPI_COMM_WORLD, MPI_INFO_NULL, requests(2) OR_CODE)
    call PERSISTENT(reduce)(rank, total, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, MPI_INFO_NULL, requests(3) OR_CODE)
    call PERSISTENT(allreduce)(MPI_IN_PLACE, parts, 2, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &
        requests(4) OR_CODE)
    call PERSISTENT(gather)(rank, 1, MPI_INTEGER, gathered, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &
        requests(5) OR_CODE)
    call PERSISTENT(scatter)(scattered, 1, MPI_INTEGER, parts_of_mine(1), 1, MPI_INTEGER, 0, MPI_COMM_WORLD, &
        MPI_INFO_NULL, requests(6) OR_CODE)
    call PERSISTENT(allgather)(MPI_IN_PLACE, 0, MPI_INTEGER, all, 3, MPI_INTEGER, MPI_COMM_WORLD, MPI_INFO_NULL, &
        requests(7) OR_CODE)
    call PERSISTENT(allgatherv)(MPI_IN_PLACE, 0, MPI_INTEGER, unequal, counts, places, MPI_INTEGER, MPI_COMM_WORLD, &
        MPI_INFO_NULL, requests(8) OR_CODE)
    call PERSISTENT(alltoall)(scattered, 1, MPI_INTEGER, mine, 1, MPI_INTEGER, MPI_COMM_WORLD, MPI_INFO_NULL, &
        requests(9) OR_CODE)
    call PERSISTENT(alltoallv)(scattered, counts, places, MPI_INTEGER, exchanged, counts, places, MPI_INTEGER, &
        MPI_COMM_WORLD, MPI_INFO_NULL, requests(10) OR_CODE)
    call PERSISTENT(scan)(MPI_IN_PLACE, parts_of_mine(2), 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &
        requests(11) OR_CODE)
    call PERSISTENT(exscan)(rank, parts_of_mine(3), 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &
        requests(12) OR_CODE)
    call PERSISTENT(reduce_scatter_block)(scattered, parts_of_mine(4), 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, &
        MPI_INFO_NULL, requests(13) OR_CODE)
    call PERSISTENT(reduce_scatter)(scattered, parts_of_mine(5), counts, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, &
        MPI_INFO_NULL, requests(14) OR_CODE)
    call PERSISTENT(gatherv)(rank, 1, MPI_INTEGER, gathered_v, counts, places, MPI_INTEGER, 0, &
        MPI_COMM_WORLD, MPI_INFO_NULL, requests(15) OR_CODE)
    call PERSISTENT(scatterv)(scattered, counts, places, MPI_INTEGER, parts_of_mine(6), 1, MPI_INTEGER, 0, &
        MPI_COMM_WORLD, MPI_INFO_NULL, requests(16) OR_CODE)
    do done = 1, starts
        values = -1
        if (rank == 0) values = [4, 5, 6] * done
        total = -1
        parts = [rank + 0.5d0, 2d0 * rank] * done
        all = -1
        all(3 * rank + 1 : 3 * rank + 3) = rank * done
        gathered_v(2 :) = -1
        gathered(2 :) = -1 ! MPICH (4.0.2) copies the root's own block when the request is made
        scattered = [(i * i + rank * done, i = 1, ranks)]
        unequal = -1
        unequal(places(rank + 1) + 1) = rank * done
        parts_of_mine = [-1, rank * done, 0, -1, -1, -1]
#ifdef OPEN_MPI
        if (done == 1) then
            call mpi_startall(16, requests OR_CODE)
        else
            do i = 16, 1, -1
                call mpi_start(requests(i) OR_CODE)
            end do
        end if
        call mpi_waitall(16, requests, MPI_STATUSES_IGNORE OR_CODE)
#else
        do i = 16, 1, -1
            if (mod(i, 2) == 0) call mpi_startall(1, requests(i : i) OR_CODE)
            if (mod(i, 2) == 1) call mpi_start(requests(i) OR_CODE)
            call mpi_wait(requests(i), MPI_STATUS_IGNORE OR_CODE)
        end do
#endif
        call total_of('bcast_init', sum(values) * (rank + 1))
        call say('reduce_init', total)
        if (rank == 0) print '(a, 2f12.3)', 'allreduce_init', parts
        call say('gather_init', sum(gathered * [(i, i = 1, ranks)]))
        call say('gatherv_init', sum(gathered_v * [(i, i = 1, ranks)]))
        call total_of('allgather_init', sum(all * [(i, i = 1, 3 * ranks)]))
        call total_of('allgatherv_init', sum(unequal * [(i, i = 1, ranks)]))
        call total_of('alltoall_init', sum(mine * [(i, i = 1, ranks)]))
        call total_of('alltoallv_init', sum(exchanged * [(i, i = 1, ranks)]) * (rank + 1))
        do i = 1, 6
            call total_of('scatter_init, scan_init, exscan_init, reduce_scatter_block_init, reduce_scatter_init, ' // &
                'scatterv_init', parts_of_mine(i) * (rank + 1))
        end do
    end do
    done = 0
    do i = 1, 16
        call mpi_request_free(requests(i) OR_CODE)
        if (requests(i) == MPI_REQUEST_NULL) done = done + 1
    end do
    call say('freed requests', done)

    call mpi_comm_dup(MPI_COMM_WORLD, comm OR_CODE)
    do i = 1, 5
        call mpi_allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, comm OR_CODE)
    end do
    call say('on a duplicate', total)
    call mpi_comm_free(comm OR_CODE)
    call say('freed', merge(1, 0, comm == MPI_COMM_NULL))

    dims = 0
    periods = [.true., .false.]
    call mpi_dims_create(ranks, 2, dims OR_CODE)
    call say('cells', product(dims))
    call mpi_cart_create(MPI_COMM_WORLD, 2, dims, periods, .true., grid OR_CODE)
    call mpi_comm_rank(grid, i OR_CODE)
    call total_of('ranks of a grid', i * i)
    ones = 1
    turned = [3, 2, 1, 0]
    near = -1
    call mpi_neighbor_allgather(i, 1, MPI_INTEGER, near, 1, MPI_INTEGER, grid OR_CODE)
    call total_of('neighbor_allgather', sum(near * [1, 2, 3, 4]) * (i + 1))
    near = -1
    call mpi_neighbor_allgatherv(i, 1, MPI_INTEGER, near, ones, turned, MPI_INTEGER, grid OR_CODE)
    call total_of('neighbor_allgatherv', sum(near * [1, 2, 3, 4]) * (i + 1))
    sent = 10 * i + [1, 2, 3, 4]
    near = -1
    call mpi_neighbor_alltoall(sent, 1, MPI_INTEGER, near, 1, MPI_INTEGER, grid OR_CODE)
    call total_of('neighbor_alltoall', sum(near * [1, 2, 3, 4]) * (i + 1))
    near = -1
    call mpi_neighbor_alltoallv(sent, ones, turned, MPI_INTEGER, near, ones, turned, MPI_INTEGER, grid OR_CODE)
    call total_of('neighbor_alltoallv', sum(near * [1, 2, 3, 4]) * (i + 1))

    near = -1
    call mpi_ineighbor_allgather(i, 1, MPI_INTEGER, near, 1, MPI_INTEGER, grid, requests(1) OR_CODE)
    call mpi_wait(requests(1), MPI_STATUS_IGNORE OR_CODE)
    call total_of('ineighbor_allgather', sum(near * [1, 2, 3, 4]) * (i + 1))
    near = -1
    call mpi_ineighbor_allgatherv(i, 1, MPI_INTEGER, near, ones, turned, MPI_INTEGER, grid, requests(1) OR_CODE)
    call mpi_wait(requests(1), MPI_STATUS_IGNORE OR_CODE)
    call total_of('ineighbor_allgatherv', sum(near * [1, 2, 3, 4]) * (i + 1))
    near = -1
    call mpi_ineighbor_alltoall(sent, 1, MPI_INTEGER, near, 1, MPI_INTEGER, grid, requests(1) OR_CODE)
    call mpi_wait(requests(1), MPI_STATUS_IGNORE OR_CODE)
    call total_of('ineighbor_alltoall', sum(near * [1, 2, 3, 4]) * (i + 1))
    near = -1
    call mpi_ineighbor_alltoallv(sent, ones, turned, MPI_INTEGER, near, ones, turned, MPI_INTEGER, grid, requests(1) OR_CODE)
    call mpi_wait(requests(1), MPI_STATUS_IGNORE OR_CODE)
    call total_of('ineighbor_alltoallv', sum(near * [1, 2, 3, 4]) * (i + 1))

    call PERSISTENT(neighbor_allgather)(i, 1, MPI_INTEGER, near, 1, MPI_INTEGER, grid, MPI_INFO_NULL, requests(1) OR_CODE)
    call once('neighbor_allgather_init')
    call PERSISTENT(neighbor_allgatherv)(i, 1, MPI_INTEGER, near, ones, turned, MPI_INTEGER, grid, MPI_INFO_NULL, &
        requests(1) OR_CODE)
    call once('neighbor_allgatherv_init')
    call PERSISTENT(neighbor_alltoall)(sent, 1, MPI_INTEGER, near, 1, MPI_INTEGER, grid, MPI_INFO_NULL, requests(1) OR_CODE)
    call once('neighbor_alltoall_init')
    call PERSISTENT(neighbor_alltoallv)(sent, ones, turned, MPI_INTEGER, near, ones, turned, MPI_INTEGER, grid, &
        MPI_INFO_NULL, requests(1) OR_CODE)
    call once('neighbor_alltoallv_init')
#if defined(OPEN_MPI) || !defined(F08)
    ! Open MPI's own (4.1.4) read as many datatypes as there are ranks; MPICH's (4.0.2) in mpi_f08 take distributed graphs only.
    if (ranks >= 4) then
        near_kinds = MPI_INTEGER
        near_bytes = [8, 0, 12, 4]
        near = -1
        call mpi_neighbor_alltoallw(sent, ones, near_bytes, near_kinds, near, ones, near_bytes, near_kinds, grid OR_CODE)
        call total_of('neighbor_alltoallw', sum(near * [1, 2, 3, 4]) * (i + 1))
        near = -1
        call mpi_ineighbor_alltoallw(sent, ones, near_bytes, near_kinds, near, ones, near_bytes, near_kinds, grid, &
            requests(1) OR_CODE)
        call mpi_wait(requests(1), MPI_STATUS_IGNORE OR_CODE)
        call total_of('ineighbor_alltoallw', sum(near * [1, 2, 3, 4]) * (i + 1))
        call PERSISTENT(neighbor_alltoallw)(sent, ones, near_bytes, near_kinds, near, ones, near_bytes, near_kinds, grid, &
            MPI_INFO_NULL, requests(1) OR_CODE)
        call once('neighbor_alltoallw_init')
    end if
#endif

    call mpi_cart_map(MPI_COMM_WORLD, 2, dims, periods, i OR_CODE)
    call total_of('ranks of a map', i * i)
    call mpi_comm_disconnect(grid OR_CODE)
    call mpi_finalize(code)
    call say('code', code)

contains

    subroutine say(what, value)
        character(len=*), intent(in) :: what
        integer, intent(in) :: value
        if (rank == 0) print '(a, i12)', what, value
    end subroutine

    ! Starts the persistent collective of neighbours once, and frees it.
    subroutine once(what)
        character(len=*), intent(in) :: what
        integer :: here
        near = -1
        call mpi_start(requests(1), here)
        call mpi_wait(requests(1), MPI_STATUS_IGNORE, here)
        call mpi_request_free(requests(1), here)
        call total_of(what, sum(near * [1, 2, 3, 4]) * (i + 1))
    end subroutine

    ! The sum of all ranks' values.
    subroutine total_of(what, value)
        character(len=*), intent(in) :: what
        integer, intent(in) :: value
        integer :: sum_of_all, here
        call mpi_reduce(value, sum_of_all, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, here)
        call say(what, sum_of_all)
    end subroutine

end program
