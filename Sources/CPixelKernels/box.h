// What the levels share of making means of blocks.
#ifndef TESSERA_BOX_H
#define TESSERA_BOX_H

#include "one_step.h"
#include "pixel_kernels.h"

// Rows of results and their source.
#define BOX                                                                                                           \
    uint8_t *dst, ptrdiff_t stride, const tpk_box *plan, const uint8_t *source, ptrdiff_t source_stride,              \
        size_t first_row, size_t last_row, size_t first, size_t last

// Any results of a row, one by one: the specification.
void tpk_box_results(uint8_t *dst, const tpk_box *plan, const uint8_t *const *rows, size_t first, size_t last);

// The source rows of result row `row`.
static inline void box_rows(const uint8_t **rows, const tpk_box *plan, const uint8_t *source, ptrdiff_t source_stride,
                            size_t row) {
    const int32_t first = plan->first_row + (int32_t)row * plan->row_ratio;
    for (int32_t tap = 0; tap < plan->row_ratio; tap++) {
        rows[tap] = source + step_nearest(first + tap, plan->source_rows) * source_stride;
    }
}

static inline uint8_t box_rounded(const tpk_box *plan, uint32_t sum) {
    return (uint8_t)((sum * (uint32_t)plan->multiplier + (1U << (plan->shift - 1))) >> plan->shift);
}

// Kernels that a compiler vectorises well: one body, instantiated for the instruction set of every level. The rows are
// added up first, for so many results at a time.
enum { BOX_STRIP = 64, BOX_SAMPLES = BOX_STRIP * TPK_BOX_MOST + 1 };

static inline __attribute__((always_inline)) void box_add_rows(uint16_t *restrict sums, const uint8_t *const *rows,
                                                               const size_t row_count, ptrdiff_t sample,
                                                               size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint16_t sum = 0;
#pragma clang loop unroll(full)
        for (size_t row = 0; row < row_count; row++) {
            sum = (uint16_t)(sum + rows[row][sample + (ptrdiff_t)i]);
        }
        sums[i] = sum;
    }
}

static inline __attribute__((always_inline)) void box_add_columns(uint8_t *restrict dst, const tpk_box *plan,
                                                                  const uint16_t *restrict sums, const size_t ratio,
                                                                  const size_t taps, size_t count) {
    uint32_t weights[TPK_BOX_MOST + 1];
    for (size_t tap = 0; tap < taps; tap++) {
        weights[tap] = plan->weights[tap];
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t sum = 0;
#pragma clang loop unroll(full)
        for (size_t tap = 0; tap < taps; tap++) {
            sum += weights[tap] * sums[ratio * i + tap];
        }
        dst[i] = box_rounded(plan, sum);
    }
}

// Whether result `index` is made of samples that exist.
static inline bool box_is_inside(const tpk_box *plan, size_t index) {
    const ptrdiff_t sample = plan->first + (ptrdiff_t)index * plan->ratio;
    return sample >= 0 && sample + plan->taps <= plan->source;
}

#define BOX_ROWS(rows)                                                                                                \
    case rows:                                                                                                        \
        box_add_rows(sums, sources, rows, sample, samples);                                                           \
        break;
#define BOX_COLUMNS(ratio, taps)                                                                                      \
    case 10 * (ratio) + (taps):                                                                                       \
        box_add_columns(dst + (i - first), plan, sums, ratio, taps, count);                                           \
        break;

static inline __attribute__((always_inline)) void box_body(BOX) {
    for (size_t row = first_row; row < last_row; row++, dst += stride) {
        const uint8_t *sources[TPK_BOX_MOST];
        uint16_t sums[BOX_SAMPLES];
        size_t i = first, last_inside = last;
        box_rows(sources, plan, source, source_stride, row);
        for (; i < last && !box_is_inside(plan, i); i++) {
            tpk_box_results(dst + (i - first), plan, sources, i, i + 1);
        }
        while (last_inside > i && !box_is_inside(plan, last_inside - 1)) {
            last_inside--;
        }
        for (size_t count; i < last_inside; i += count) {
            count = last_inside - i < BOX_STRIP ? last_inside - i : BOX_STRIP;
            const ptrdiff_t sample = plan->first + (ptrdiff_t)i * plan->ratio;
            const size_t samples = (count - 1) * (size_t)plan->ratio + (size_t)plan->taps;
            switch (plan->row_ratio) {
                BOX_ROWS(1) BOX_ROWS(2) BOX_ROWS(3) BOX_ROWS(4) BOX_ROWS(5) BOX_ROWS(6) BOX_ROWS(7) BOX_ROWS(8)
            default:
                __builtin_unreachable();
            }
            switch (10 * plan->ratio + plan->taps) {
                BOX_COLUMNS(5, 5) BOX_COLUMNS(5, 6) BOX_COLUMNS(6, 6) BOX_COLUMNS(6, 7) BOX_COLUMNS(7, 7)
                BOX_COLUMNS(7, 8) BOX_COLUMNS(8, 8) BOX_COLUMNS(8, 9)
            default:
                __builtin_unreachable();
            }
        }
        tpk_box_results(dst + (last_inside - first), plan, sources, last_inside, last);
    }
}

#endif
