/* Exchanges data between ranks without arithmetic, for SimGrid's SMPI: PATTERN BYTES ROUNDS. Rank 0 prints
 * the seconds per round. BYTES counts one side (planes), the combined data (all_reduce), or the data of one
 * rank (all_to_all). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void exchange_planes(int rank, int size, char* data, int bytes) {
  MPI_Request requests[4];
  int count = 0;
  for (int side = -1; side <= 1; side += 2) {
    const int other = rank + side;
    if (other < 0 || other >= size) continue;
    char* mine = data + (side > 0 ? 2 * (size_t)bytes : 0);
    MPI_Irecv(mine, bytes, MPI_CHAR, other, 0, MPI_COMM_WORLD, &requests[count++]);
    MPI_Isend(mine + bytes, bytes, MPI_CHAR, other, 0, MPI_COMM_WORLD, &requests[count++]);
  }
  MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

int main(int count, char** arguments) {
  int rank, size;
  MPI_Init(&count, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const char* pattern = arguments[1];
  const int bytes = atoi(arguments[2]), rounds = atoi(arguments[3]), piece = bytes / size > 0 ? bytes / size : 1;
  char* from = SMPI_SHARED_MALLOC(4 * (size_t)bytes + (size_t)size * 8);
  char* to = SMPI_SHARED_MALLOC(4 * (size_t)bytes + (size_t)size * 8);
  const double began = MPI_Wtime();  /* All ranks begin at once. After a barrier they would start at different times. */
  for (int i = 0; i < rounds; ++i) {
    if (strcmp(pattern, "planes") == 0)
      exchange_planes(rank, size, from, bytes);
    else if (strcmp(pattern, "all_reduce") == 0)
      MPI_Allreduce(from, to, bytes / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    else
      MPI_Alltoall(from, piece, MPI_CHAR, to, piece, MPI_CHAR, MPI_COMM_WORLD);
  }
  double own = (MPI_Wtime() - began) / rounds, longest = 0;
  MPI_Reduce(&own, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("seconds %.9g\n", longest);
  SMPI_SHARED_FREE(from);
  SMPI_SHARED_FREE(to);
  MPI_Finalize();
  return 0;
}
