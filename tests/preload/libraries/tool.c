/* SPDX-License-Identifier: BSL-1.0 */
/* A tool that is loaded in front and calls the profiling names, as most do. */
#include <mpi.h>

int MPI_Init(int* argc, char*** argv) { return PMPI_Init(argc, argv); }
int MPI_Finalize(void) { return PMPI_Finalize(); }
