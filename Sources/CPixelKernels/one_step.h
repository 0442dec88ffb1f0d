// What the kernels that scale in one step share.
#ifndef TESSERA_ONE_STEP_H
#define TESSERA_ONE_STEP_H

#include <stddef.h>
#include <stdint.h>

static inline ptrdiff_t step_least(ptrdiff_t a, ptrdiff_t b) {
    return a < b ? a : b;
}

static inline ptrdiff_t step_greatest(ptrdiff_t a, ptrdiff_t b) {
    return a > b ? a : b;
}

// The nearest of `count` samples or rows, for an index that none may have.
static inline ptrdiff_t step_nearest(ptrdiff_t index, ptrdiff_t count) {
    return step_greatest(0, step_least(index, count - 1));
}

// The weights of four taps, times that of a row: no byte's product reaches into the next.
static inline int32_t step_products(const uint8_t weights[4], uint8_t row_weight) {
    uint32_t four;
    __builtin_memcpy(&four, weights, sizeof four);
    return (int32_t)(four * row_weight);
}

#endif
