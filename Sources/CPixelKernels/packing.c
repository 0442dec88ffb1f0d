#include "packing.h"

#include <string.h>

// The tap in place j of four.
static int32_t tap_in_place(tpk_vector vector, int32_t j) {
    static const int32_t order[4] = {0, 2, 1, 3};
    return vector.saturates ? (j & ~3) + order[j & 3] : j;
}

static int32_t least(int32_t a, int32_t b) {
    return a < b ? a : b;
}

// Results behind the last one repeat it, without weight.
static int32_t result_within(const tpk_horizontal *plan, int32_t result) {
    return least(result, plan->count - 1);
}

// The first source sample of a result's first group; its last group ends within the source.
static int32_t first_sample(const tpk_horizontal *plan, const tpk_packed *packed, int32_t result) {
    return least(plan->left[result_within(plan, result)], plan->source - packed->width * packed->groups);
}

// The samples from the first window to the last one.
static int32_t travel(const tpk_packed *packed) {
    return (packed->groups - 1) / packed->stay * packed->stay * packed->width;
}

// The first byte of the first group's window; the last group's window ends within the source.
static int32_t window_start(const tpk_horizontal *plan, const tpk_packed *packed, int32_t window, int32_t result) {
    int32_t start = plan->source - packed->reach - travel(packed);
    for (int32_t i = result; i < result + window / packed->width; i++) {
        start = least(start, first_sample(plan, packed, i));
    }
    return start;
}

// Whether the results from `result` on find their samples in windows that begin at `start`.
static bool serves(const tpk_horizontal *plan, const tpk_packed *packed, int32_t window, int32_t result,
                   int32_t start) {
    for (int32_t i = result; i < result + window / packed->width; i++) {
        const int32_t sample = first_sample(plan, packed, i);
        if (sample < start || sample + packed->width * packed->stay > start + packed->reach) {
            return false;
        }
    }
    return true;
}

static bool fits(const tpk_horizontal *plan, const tpk_packed *packed, int32_t window) {
    for (int32_t first = 0; first < plan->count; first += window / packed->width) {
        if (!serves(plan, packed, window, first, window_start(plan, packed, window, first))) {
            return false;
        }
    }
    return true;
}

// From the cheapest shape to the dearest.
static tpk_packed shape(const tpk_horizontal *plan, tpk_vector vector) {
    tpk_packed shape = {.width = 4, .groups = plan->taps / 4, .reach = vector.least};
    shape.stay = shape.groups;
    while (!fits(plan, &shape, vector.window)) {
        const int32_t half = (shape.groups + 1) / 2;
        if (shape.reach == vector.least && shape.stay > half) {
            shape.stay = half;
        } else if (shape.reach < vector.most) {
            shape.reach = vector.most;
            shape.stay = shape.groups;
        } else if (shape.stay > 1) {
            shape.stay = 1;
        } else {
            shape.width *= 2;
            shape.groups = (plan->taps + shape.width - 1) / shape.width;
        }
    }
    const int32_t block = vector.lanes * vector.window / 4;
    shape.units = shape.width / 4;
    shape.blocks = (plan->count + block - 1) / block;
    shape.place = 1 + shape.units * vector.lanes;
    return shape;
}

static size_t aligned(size_t bytes) {
    return (bytes + 63) & ~(size_t)63;
}

// The offset of the first block's vectors in bytes.
static size_t vectors_offset(const tpk_packed *packed) {
    return sizeof *packed + aligned(sizeof(int32_t) * (size_t)(packed->blocks * packed->place));
}

// The bytes of a block's vectors.
static size_t vectors_size(const tpk_packed *packed, tpk_vector vector) {
    return 2 * (size_t)packed->units * (size_t)packed->groups * (size_t)(vector.lanes * vector.window);
}

size_t tpk_packed_size(const tpk_horizontal *plan, tpk_vector vector) {
    const tpk_packed packed = shape(plan, vector);
    return aligned(vectors_offset(&packed) + (size_t)packed.blocks * vectors_size(&packed, vector));
}

// Writes the indices and the weights of one result; `bytes` is the place of its first index.
static void pack_result(const tpk_horizontal *plan, const tpk_packed *packed, tpk_vector vector, int32_t result,
                        int32_t start, uint8_t *bytes) {
    const size_t vector_size = (size_t)(vector.lanes * vector.window);
    const int32_t first = first_sample(plan, packed, result);
    const int32_t left = plan->left[result_within(plan, result)];
    const int8_t *weights = plan->weights + (size_t)result_within(plan, result) * (size_t)plan->taps;
    for (int32_t group = 0; group < packed->groups; group++, bytes += 2 * vector_size) {
        for (int32_t j = 0; j < packed->width; j++) {
            const int32_t sample = first + group * packed->width + tap_in_place(vector, j);
            const int32_t tap = sample - left;
            const bool weighs = result < plan->count && tap >= 0 && tap < plan->taps;
            bytes[j] = (uint8_t)(sample - start - group / packed->stay * packed->stay * packed->width);
            bytes[vector_size + (size_t)j] = weighs ? (uint8_t)weights[tap] : 0;
        }
    }
}

// Whether the results of the block from `result` on lie four samples apart from `start` on, and the source has as many
// samples once more.
static bool is_strided(const tpk_horizontal *plan, const tpk_packed *packed, int32_t window, int32_t result,
                       int32_t start) {
    for (int32_t i = 0; i < window / 4; i++) {
        if (first_sample(plan, packed, result + i) != start + 4 * i) {
            return false;
        }
    }
    return start + 2 * window <= plan->source;
}

// Finds the first run of blocks that are strided, also from one to the next.
static void find_strided(const tpk_horizontal *plan, tpk_packed *packed, tpk_vector vector) {
    if (packed->width != 4 || vector.lanes > 1) {
        return;
    }
    const int32_t window = vector.window, results = window / 4;
    int32_t block = 0, start = 0;
    for (; block < packed->blocks; block++) {
        start = window_start(plan, packed, window, block * results);
        if (is_strided(plan, packed, window, block * results, start)) {
            break;
        }
    }
    packed->strided_begin = block;
    while (block < packed->blocks && is_strided(plan, packed, window, block * results, start)) {
        block++;
        start += window;
    }
    packed->strided_end = block;
}

// Whether a block's windows begin where those of the block before do.
static bool continues(const tpk_horizontal *plan, const tpk_packed *packed, tpk_vector vector, int32_t block,
                      const int32_t *before) {
    const bool strided = block >= packed->strided_begin && block < packed->strided_end;
    return block > 0 && !strided && packed->units * vector.lanes == 1 &&
           serves(plan, packed, vector.window, block * vector.window / packed->width, before[1]);
}

// Writes the place and the vectors of a block; `before` is the place of the block before.
static void pack_block(const tpk_horizontal *plan, const tpk_packed *packed, tpk_vector vector, int32_t block,
                       const int32_t *before, int32_t *place, uint8_t *vectors) {
    const int32_t results = vector.window / packed->width, windows = packed->units * vector.lanes;
    const size_t vector_size = (size_t)(vector.lanes * vector.window);
    for (int32_t i = 0; i < windows; i++) {
        const int32_t lane = i / packed->units, unit = i % packed->units;
        const int32_t first = (block * windows + i) * results;
        const int32_t start = continues(plan, packed, vector, block, before)
                                  ? before[1]
                                  : window_start(plan, packed, vector.window, first);
        place[1 + unit * vector.lanes + lane] = start;
        uint8_t *window = vectors + 2 * (size_t)(unit * packed->groups) * vector_size + lane * vector.window;
        for (int32_t j = 0; j < results; j++) {
            pack_result(plan, packed, vector, first + j, start, window + j * packed->width);
        }
    }
}

void tpk_pack(const tpk_horizontal *plan, tpk_vector vector, void *bytes) {
    enum { REMEMBERED = 16 };
    tpk_packed packed = shape(plan, vector);
    find_strided(plan, &packed, vector);
    memcpy(bytes, &packed, sizeof packed);
    const size_t size = vectors_size(&packed, vector);
    int32_t *place = (int32_t *)((tpk_packed *)bytes + 1);
    uint8_t *const first = (uint8_t *)bytes + vectors_offset(&packed), *next = first;
    for (int32_t block = 0; block < packed.blocks; block++, place += packed.place) {
        pack_block(plan, &packed, vector, block, place - packed.place, place, next);
        uint8_t *same = next - first > (ptrdiff_t)(REMEMBERED * size) ? next - REMEMBERED * size : first;
        while (memcmp(same, next, size) != 0) {
            same += size;
        }
        place[0] = (int32_t)(same - (uint8_t *)place);
        next += same == next ? size : 0;
    }
}
