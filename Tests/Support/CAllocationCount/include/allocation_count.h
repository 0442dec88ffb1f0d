// Counts the allocations of a thread by a malloc that calls the C library's. Linking this library replaces malloc.
#ifndef TESSERA_ALLOCATION_COUNT_H
#define TESSERA_ALLOCATION_COUNT_H

#include <stddef.h>

// Returns the number of allocations of the calling thread so far.
size_t tac_count(void);

#endif
