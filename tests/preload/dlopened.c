/* SPDX-License-Identifier: BSL-1.0 */
/* dlopened LIBMPI: calls the MPI that it loads by itself, past what stands in for it. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char** argv) {
    void* const mpi = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
    if (mpi == NULL) {
        printf("no MPI: %s\n", dlerror());
        return 1;
    }
    int (*init)(int*, char***);
    int (*finalize)(void);
    *(void**)&init = dlsym(mpi, "MPI_Init");
    *(void**)&finalize = dlsym(mpi, "MPI_Finalize");
    return init(&argc, &argv) || finalize();
}
