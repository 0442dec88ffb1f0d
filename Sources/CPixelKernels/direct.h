// What the levels share of making results in one step.
#ifndef TESSERA_DIRECT_H
#define TESSERA_DIRECT_H

#include "one_step.h"
#include "pixel_kernels.h"

// Rows of results and their source.
#define SOURCE                                                                                                        \
    uint8_t *dst, ptrdiff_t stride, const tpk_direct *plan, const uint8_t *source, ptrdiff_t source_stride,           \
        size_t first_row, size_t last_row, size_t first, size_t last

// One result row and what it is made from.
#define DIRECT uint8_t *dst, const tpk_direct *plan, const uint8_t *const *rows, const uint8_t *row_weights

// Any results of a row, one by one: the specification.
void tpk_direct_results(DIRECT, size_t first, size_t last);

// The source rows of result row `row`.
static inline void direct_rows(const uint8_t **rows, const tpk_direct *plan, const uint8_t *source,
                               ptrdiff_t source_stride, size_t row, const size_t row_taps) {
    for (size_t tap = 0; tap < row_taps; tap++) {
        const ptrdiff_t index = plan->rows[row].first + (ptrdiff_t)tap;
        rows[tap] = source + step_nearest(index, plan->source_rows) * source_stride;
    }
}

// The bytes from the source rows of result row `row` to those of the next one.
static inline ptrdiff_t direct_ahead(const tpk_direct *plan, ptrdiff_t source_stride, size_t row, size_t last_row) {
    return row + 1 < last_row ? (plan->rows[row + 1].first - plan->rows[row].first) * source_stride : 0;
}

// Groups of results.
typedef struct tpk_groups {
    ptrdiff_t first, last;
} tpk_groups;

// No groups: all results of a row lie before them.
static inline tpk_groups direct_none(const tpk_direct *plan) {
    return (tpk_groups){plan->columns->count, plan->columns->count};
}

// The results before and after those of `groups`, by `results`.
static inline void direct_rest(DIRECT, size_t first, size_t last, tpk_groups groups,
                               void (*results)(DIRECT, size_t first, size_t last)) {
    const size_t before = (size_t)(plan->phases * groups.first), end = (size_t)(plan->phases * groups.last);
    const size_t begin = before < last ? before : last;
    if (first < begin) {
        results(dst, plan, rows, row_weights, first, begin);
    }
    if (end < last) {
        results(dst + (end - first), plan, rows, row_weights, end, last);
    }
}

// The groups that lie in results first ..< last.
static inline tpk_groups direct_whole_groups(const ptrdiff_t phases, size_t first, size_t last) {
    return (tpk_groups){((ptrdiff_t)first + phases - 1) / phases, (ptrdiff_t)last / phases};
}

// Of these groups those that follow the pattern and that windows can make: a window makes `count` groups and reads
// samples least ..< end, counted from its first group's first one.
static inline tpk_groups direct_windows(const tpk_direct *plan, ptrdiff_t count, ptrdiff_t least, ptrdiff_t end,
                                        tpk_groups groups) {
    const ptrdiff_t begin = step_greatest(plan->first, (3 - least) / 4);
    const ptrdiff_t after = ((plan->columns->source - end) >> 2) + count;
    return (tpk_groups){step_greatest(groups.first, begin),
                        step_least(groups.last, step_least(after, plan->last))};
}

#endif
