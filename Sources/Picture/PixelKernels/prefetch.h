// Prefetching of the next call's source rows while those of this call are scaled.
//
// Between two calls the vertical pass runs, and the processor's own prefetching loses the rows. Without this, frames
// that come from memory take twice as long. Rows are fetched into the L2 cache; the L1 cache only has room for short
// ones.
#ifndef TESSERA_PREFETCH_H
#define TESSERA_PREFETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CACHE_LINE = 64, SHORT_ROW = 768 };

typedef struct next_rows {
    const uint8_t *first;   // the first row expected in the next call
    int32_t sample;         // the next sample to fetch
    bool is_short;          // true if at most SHORT_ROW samples of each row are needed
} next_rows;

#define FETCH_LINES(locality)                                                                                         \
    _Pragma("clang loop unroll(full)") for (size_t r = 0; r < row_count; r++) {                                       \
        __builtin_prefetch((const void *)(line + r * (uintptr_t)stride), 0, locality);                                \
        if (reach > CACHE_LINE) {                                                                                     \
            __builtin_prefetch((const void *)(line + r * (uintptr_t)stride + CACHE_LINE), 0, locality);               \
        }                                                                                                             \
    }

// Fetches one line of every row, or two if blocks are longer than a line, whenever `sample` has reached the next line.
// The fetched addresses need not be valid.
static inline __attribute__((always_inline)) void fetch_rows(next_rows *next, ptrdiff_t stride,
                                                             const size_t row_count, int32_t sample,
                                                             const size_t reach) {
    if (next->sample > sample) {
        return;
    }
    const uintptr_t line = (uintptr_t)next->first + (uintptr_t)next->sample;
    if (__builtin_expect(next->is_short, false)) {
        FETCH_LINES(3)
    } else {
        FETCH_LINES(2)
    }
    next->sample += reach > CACHE_LINE ? 2 * CACHE_LINE : CACHE_LINE;
}

#endif
