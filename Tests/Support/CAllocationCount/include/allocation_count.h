// Counts the allocations of a thread: the program that links this has its own malloc in front of the C library's.
#ifndef TESSERA_ALLOCATION_COUNT_H
#define TESSERA_ALLOCATION_COUNT_H

#include <stddef.h>

// Allocations of the calling thread so far.
size_t tac_count(void);

#endif
