// What the levels share of making results of every three source samples.
#ifndef TESSERA_THIRDS_H
#define TESSERA_THIRDS_H

#include "one_step.h"
#include "pixel_kernels.h"

// Rows of results and their source.
#define THIRDS                                                                                                        \
    uint8_t *dst, ptrdiff_t stride, const tpk_thirds *plan, const uint8_t *source, ptrdiff_t source_stride,           \
        size_t first_row, size_t last_row, size_t first, size_t last

// The source rows of a result row, and their weights.
typedef struct thirds_rows {
    const uint8_t *samples[TPK_THIRDS_TAPS];
    const uint8_t *weights;
    ptrdiff_t ahead;    // the rows from these to those of the next result row
} thirds_rows;

// Any results of a row, one by one: the specification.
void tpk_thirds_results(uint8_t *dst, const tpk_thirds *plan, const thirds_rows *rows, size_t first, size_t last);

// The levels' kernels.
void tpk_thirds_avx2(THIRDS);
void tpk_thirds_avx512vnni(THIRDS);
void tpk_thirds_neon(THIRDS);

static inline int32_t thirds_first_row(const tpk_thirds_axis *axis, size_t row) {
    const uint32_t phases = (uint32_t)axis->phases, index = (uint32_t)row;
    return axis->first + TPK_THIRDS * (int32_t)(index / phases) + axis->offset[index % phases];
}

static inline thirds_rows thirds_rows_of(const tpk_thirds *plan, const uint8_t *source, ptrdiff_t source_stride,
                                         size_t row, const size_t row_taps) {
    const tpk_thirds_axis *axis = &plan->rows;
    const int32_t first = thirds_first_row(axis, row);
    thirds_rows rows = {.weights = axis->weights[(uint32_t)row % (uint32_t)axis->phases],
                        .ahead = thirds_first_row(axis, row + 1) - first};
    for (size_t tap = 0; tap < row_taps; tap++) {
        rows.samples[tap] = source + step_nearest(first + (int32_t)tap, axis->source) * source_stride;
    }
    return rows;
}

// The whole groups among results first ..< last whose samples exist. A window of `count` groups that begins before
// `whole_end` is made of such, and from its first sample on `readable` exist.
typedef struct thirds_groups {
    ptrdiff_t first, whole_end, last;
} thirds_groups;

// How many groups lie so that `samples` samples from their first one on exist.
static inline ptrdiff_t thirds_groups_with(const tpk_thirds_axis *columns, ptrdiff_t samples) {
    const ptrdiff_t room = columns->source - columns->first - samples;
    return room < 0 ? 0 : room / TPK_THIRDS + 1;
}

static inline thirds_groups thirds_groups_of(const tpk_thirds *plan, ptrdiff_t count, ptrdiff_t readable, size_t first,
                                             size_t last) {
    const tpk_thirds_axis *columns = &plan->columns;
    const ptrdiff_t phases = columns->phases, begin = ((ptrdiff_t)first + phases - 1) / phases;
    const ptrdiff_t inside = columns->first < 0 ? (TPK_THIRDS - 1 - columns->first) / TPK_THIRDS : 0;
    thirds_groups groups = {.first = begin > inside ? begin : inside,
                            .last = step_least((ptrdiff_t)last / phases, thirds_groups_with(columns, columns->taps))};
    groups.whole_end = step_least(groups.last - count + 1, thirds_groups_with(columns, readable));
    return groups;
}

// The end of the groups that windows of `count` make, of which the last one begins among those of another where fewer
// are left.
static inline ptrdiff_t thirds_windows_end(const thirds_groups *groups, ptrdiff_t count) {
    return groups->whole_end > groups->first ? groups->whole_end + count - 1 : groups->first;
}

// The results before and after those of `groups`; `dst` is the place of result 0.
static inline void thirds_rest(uint8_t *dst, const tpk_thirds *plan, const thirds_rows *rows, size_t first, size_t last,
                               ptrdiff_t first_group, ptrdiff_t last_group) {
    const size_t phases = (size_t)plan->columns.phases;
    if (first_group >= last_group) {
        tpk_thirds_results(dst, plan, rows, first, last);
        return;
    }
    tpk_thirds_results(dst, plan, rows, first, phases * (size_t)first_group);
    tpk_thirds_results(dst, plan, rows, phases * (size_t)last_group, last);
}

// A level's kernel from its `make_rows`: the compiler makes one loop for every shape, without a branch for it.
#define THIRDS_SHAPE(attribute, row_taps, phases)                                                                     \
    __attribute__((noinline)) attribute static void make_##row_taps##phases(THIRDS) {                                 \
        make_rows(dst, stride, plan, source, source_stride, first_row, last_row, first, last, row_taps, phases);      \
    }
#define THIRDS_CASE(row_taps, phases)                                                                                 \
    case 10 * (row_taps) + (phases):                                                                                  \
        make_##row_taps##phases(dst, stride, plan, source, source_stride, first_row, last_row, first, last);          \
        break;
#define THIRDS_KERNEL(attribute, name)                                                                                \
    THIRDS_SHAPE(attribute, 2, 1) THIRDS_SHAPE(attribute, 3, 1) THIRDS_SHAPE(attribute, 4, 1)                         \
    THIRDS_SHAPE(attribute, 2, 2) THIRDS_SHAPE(attribute, 3, 2) THIRDS_SHAPE(attribute, 4, 2)                         \
    attribute void name(THIRDS) {                                                                                     \
        switch (10 * plan->rows.taps + plan->columns.phases) {                                                        \
            THIRDS_CASE(2, 1) THIRDS_CASE(3, 1) THIRDS_CASE(4, 1)                                                     \
            THIRDS_CASE(2, 2) THIRDS_CASE(3, 2) THIRDS_CASE(4, 2)                                                     \
        }                                                                                                             \
    }

#endif
