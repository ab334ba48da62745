! SPDX-License-Identifier: BSL-1.0
! What Fortran passes that C does not: constants that are variables, handles that are numbers, logicals; with -DF08 the
! module mpi_f08, whose error codes may be left out. Prints what comes out.
program fortran
#ifdef F08
    use mpi_f08
    implicit none
    type(MPI_Comm) :: comm, grid
#define OR_CODE
#else
    use mpi
    implicit none
    integer :: comm, grid
#define OR_CODE , code
#endif
    integer :: code, rank, ranks, i, provided, values(3), total
    integer, allocatable :: all(:), counts(:), places(:), mine(:)
    double precision :: sums(2), parts(2)
    integer :: dims(2)
    logical :: periods(2)
    integer :: sent(4), near(4), ones(4), turned(4)
#ifdef F08
    type(MPI_Request) :: requests(6)
#else
    integer :: requests(6)
#endif
    integer :: which, done, places_done(6)

    call mpi_init_thread(MPI_THREAD_SINGLE, provided OR_CODE)
    call mpi_comm_rank(MPI_COMM_WORLD, rank OR_CODE)
    call mpi_comm_size(MPI_COMM_WORLD, ranks OR_CODE)
    allocate(all(3 * ranks), counts(ranks), places(ranks), mine(ranks))

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
    call mpi_wait(requests(6), MPI_STATUS_IGNORE OR_CODE)
    done = 1
    call mpi_waitany(6, requests, which, MPI_STATUS_IGNORE OR_CODE)
    call say('one of them', merge(1, 0, which >= 0 .and. which <= 5)) ! MPICH's mpi_f08 (4.0.2) counts from 0
    do while (done < 5)
        call mpi_waitsome(6, requests, which, places_done, MPI_STATUSES_IGNORE OR_CODE)
        if (which == MPI_UNDEFINED) exit
        done = done + which
    end do
    call mpi_waitsome(6, requests, which, places_done, MPI_STATUSES_IGNORE OR_CODE)
    call say('nothing left', merge(1, 0, which == MPI_UNDEFINED .and. done == 5))
    call total_of('ibcast', sum(values) * (rank + 1))
    call say('ireduce', total)
    if (rank == 0) print '(a, 2f12.3)', 'iallreduce', parts
    call total_of('iallgather', sum(all * [(i, i = 1, 3 * ranks)]))
    call total_of('ialltoall', sum(mine * [(i, i = 1, ranks)]))

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

    ! The sum of all ranks' values.
    subroutine total_of(what, value)
        character(len=*), intent(in) :: what
        integer, intent(in) :: value
        integer :: sum_of_all, here
        call mpi_reduce(value, sum_of_all, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, here)
        call say(what, sum_of_all)
    end subroutine

end program
