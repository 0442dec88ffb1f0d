#include "packing.h"

#include <string.h>

static const int32_t tap_order[4] = {0, 2, 1, 3};

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
    const size_t starts = sizeof(int32_t) * (size_t)(shape.blocks * shape.units * vector.lanes);
    shape.data = (int32_t)(sizeof shape + ((starts + 63) & ~(size_t)63));
    return shape;
}

size_t tpk_packed_size(const tpk_horizontal *plan, tpk_vector vector) {
    const tpk_packed packed = shape(plan, vector);
    const size_t vectors = 2 * (size_t)packed.blocks * (size_t)packed.units * (size_t)packed.groups;
    const size_t bytes = (size_t)packed.data + vectors * (size_t)(vector.lanes * vector.window);
    return (bytes + 63) & ~(size_t)63;
}

// Writes the indices and the weights of one result; `bytes` is the place of its first index.
static void pack_result(const tpk_horizontal *plan, const tpk_packed *packed, int32_t result, int32_t start,
                        uint8_t *bytes, size_t vector_size) {
    const int32_t first = first_sample(plan, packed, result);
    const int32_t left = plan->left[result_within(plan, result)];
    const int8_t *weights = plan->weights + (size_t)result_within(plan, result) * (size_t)plan->taps;
    for (int32_t group = 0; group < packed->groups; group++, bytes += 2 * vector_size) {
        for (int32_t j = 0; j < packed->width; j++) {
            const int32_t sample = first + group * packed->width + (j & ~3) + tap_order[j & 3];
            const int32_t tap = sample - left;
            const bool weighs = result < plan->count && tap >= 0 && tap < plan->taps;
            bytes[j] = (uint8_t)(sample - start - group / packed->stay * packed->stay * packed->width);
            bytes[vector_size + (size_t)j] = weighs ? (uint8_t)weights[tap] : 0;
        }
    }
}

void tpk_pack(const tpk_horizontal *plan, tpk_vector vector, void *bytes) {
    const tpk_packed packed = shape(plan, vector);
    const size_t vector_size = (size_t)(vector.lanes * vector.window);
    const int32_t results = vector.window / packed.width;
    int32_t *starts = (int32_t *)((uint8_t *)bytes + sizeof packed);
    uint8_t *data = (uint8_t *)bytes + packed.data;
    memcpy(bytes, &packed, sizeof packed);
    int32_t first = 0;
    for (int32_t block = 0; block < packed.blocks; block++) {
        for (int32_t lane = 0; lane < vector.lanes; lane++) {
            for (int32_t unit = 0; unit < packed.units; unit++, first += results) {
                const int32_t slot = block * packed.units + unit;
                const bool continues = slot > 0 && packed.units == 1 && vector.lanes == 1 &&
                                       serves(plan, &packed, vector.window, first, starts[slot - 1]);
                const int32_t start =
                    continues ? starts[slot - 1] : window_start(plan, &packed, vector.window, first);
                uint8_t *window =
                    data + 2 * (size_t)slot * (size_t)packed.groups * vector_size + (size_t)(lane * vector.window);
                starts[slot * vector.lanes + lane] = start;
                for (int32_t i = 0; i < results; i++) {
                    pack_result(plan, &packed, first + i, start, window + i * packed.width, vector_size);
                }
            }
        }
    }
}
