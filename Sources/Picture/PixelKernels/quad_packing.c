#include "quad_packing.h"

#include <stdlib.h>
#include <string.h>

#include "prefetch.h"

// The first and last sample of a row that each result of a block weighs, and the least first sample.
typedef struct block_samples {
    int32_t first[QUAD_RESULTS], last[QUAD_RESULTS];
    int32_t least;
} block_samples;

// The sample from which the quads of a block are counted, and the largest number of quads of a result: 0 if they do not
// fit.
typedef struct block_quads {
    int32_t start, groups;
} block_quads;

static const int8_t *weights_of(const tpk_horizontal *plan, int32_t result) {
    return plan->weights + (size_t)result * (size_t)plan->taps;
}

// Finds the samples of a block's results. Results after the last one repeat it.
static block_samples samples_of(const tpk_horizontal *plan, int32_t block) {
    block_samples samples = {.least = INT32_MAX};
    for (int32_t i = 0; i < QUAD_RESULTS; i++) {
        const int32_t wanted = block * QUAD_RESULTS + i, result = wanted < plan->count ? wanted : plan->count - 1;
        const int8_t *weights = weights_of(plan, result);
        int32_t first = 0, last = plan->taps - 1;
        while (first < last && weights[first] == 0) {
            first++;
        }
        while (last > first && weights[last] == 0) {
            last--;
        }
        first = samples.first[i] = plan->left[result] + first;
        last = samples.last[i] = plan->left[result] + last;
        samples.least = first < samples.least ? first : samples.least;
    }
    return samples;
}

// Returns the first sample of a result's first quad, in a block that starts at `start`.
static int32_t first_sample(const block_samples *samples, int32_t registers, int32_t start, int32_t i) {
    return registers == 0 ? samples->first[i] : start + (samples->first[i] - start) / 4 * 4;
}

static int32_t most_quads(const block_samples *samples, int32_t registers, int32_t start) {
    int32_t most = 0;
    for (int32_t i = 0; i < QUAD_RESULTS; i++) {
        const int32_t quads = (samples->last[i] - first_sample(samples, registers, start, i)) / 4 + 1;
        most = quads > most ? quads : most;
    }
    return most;
}

// Returns the number of samples in the registers.
static int32_t window_of(int32_t registers) {
    return registers == 0 ? NARROW_WINDOW : registers * QUAD_WINDOW;
}

// Returns the distance of the window of `group` from the block's start. If it `moves`, it moves by the group's quads,
// but never past the source.
static int32_t travel(const tpk_horizontal *plan, int32_t registers, bool moves, int32_t start, int32_t group) {
    const int32_t most = (plan->source - window_of(registers) - start) / 4;
    return !moves ? 0 : 4 * (group < most ? group : most);
}

// Returns true if the windows contain the last samples of all results, and therefore all earlier ones.
static bool holds(const tpk_horizontal *plan, int32_t registers, bool moves, const block_samples *samples,
                  int32_t start) {
    for (int32_t i = 0; i < QUAD_RESULTS; i++) {
        const int32_t group = (samples->last[i] - first_sample(samples, registers, start, i)) / 4;
        if (samples->last[i] - start - travel(plan, registers, moves, start, group) >= window_of(registers)) {
            return false;
        }
    }
    return true;
}

// Returns the best of four starts: the one that takes the fewest quads.
static block_quads quads_of(const tpk_horizontal *plan, int32_t registers, bool moves, const block_samples *samples) {
    const int32_t latest = plan->source - window_of(registers);
    const int32_t least = samples->least < latest ? samples->least : latest;
    block_quads best = {0, 0};
    for (int32_t start = least; start >= 0 && start > least - 4; start--) {
        const int32_t quads = most_quads(samples, registers, start);
        if (holds(plan, registers, moves, samples, start) && (best.groups == 0 || quads < best.groups)) {
            best = (block_quads){start, quads};
        }
    }
    return best;
}

// Returns the number of quads that every block fits into, or 0.
static int32_t groups_of(const tpk_horizontal *plan, int32_t blocks, int32_t registers, bool moves) {
    int32_t groups = 0;
    for (int32_t block = 0; block < blocks; block++) {
        const block_samples samples = samples_of(plan, block);
        const int32_t needed = quads_of(plan, registers, moves, &samples).groups;
        if (needed == 0) {
            return 0;
        }
        groups = needed > groups ? needed : groups;
    }
    return groups;
}

// Returns true if the windows of a shape move on. Results of one quad each need no second window.
static bool moves_on(const tpk_packed *packed) {
    return packed->stay < packed->groups;
}

// Returns the cheapest shape that fits, or one without groups if there is none.
static tpk_packed shape(const tpk_horizontal *plan) {
    tpk_packed shape = {.packing = TPK_QUADS, .width = 4, .units = 1, .results = QUAD_RESULTS, .place = 2};
    shape.blocks = (plan->count + QUAD_RESULTS - 1) / QUAD_RESULTS;
    shape.is_short =
        plan->count == 0 || abs(plan->left[plan->count - 1] - plan->left[0]) + plan->taps <= SHORT_ROW;
    for (shape.registers = 0; shape.registers <= MOST_QUAD_REGISTERS; shape.registers++) {
        shape.groups = shape.stay = groups_of(plan, shape.blocks, shape.registers, false);
        if (shape.groups > 0) {
            return shape;
        }
    }
    shape.registers = MOST_QUAD_REGISTERS;
    shape.stay = 1;
    shape.last_window = plan->source - window_of(shape.registers);
    shape.groups = groups_of(plan, shape.blocks, shape.registers, true);
    return shape;
}

static size_t vectors_size(const tpk_packed *packed) {
    return 2 * (size_t)packed->groups * QUAD_WINDOW;
}

size_t tpk_quads_packed_size(const tpk_horizontal *plan) {
    const tpk_packed packed = shape(plan);
    return packed.groups == 0 ? 0 : tpk_vectors_offset(&packed) + (size_t)packed.blocks * vectors_size(&packed);
}

// Returns true if the first quads of a block's results follow each other from `start` on, and the source has twice as
// many samples from there.
static bool is_strided(const tpk_horizontal *plan, const block_samples *samples, int32_t start) {
    for (int32_t i = 0; i < QUAD_RESULTS; i++) {
        if ((samples->first[i] - start) / 4 != i) {
            return false;
        }
    }
    return start + 2 * QUAD_WINDOW <= plan->source;
}

// Adds a block to the first run of strided blocks if it continues it; returns true if it does. `before` is the start of
// the previous block.
static bool joins_strided(const tpk_horizontal *plan, tpk_packed *packed, const block_samples *samples,
                          int32_t block, int32_t start, int32_t before) {
    const bool begins = packed->strided_end == packed->strided_begin;
    const int32_t quads = most_quads(samples, packed->registers, start);
    if (packed->registers == 0 || quads > MOST_STRIDED_QUADS || !is_strided(plan, samples, start) ||
        !(begins || (packed->strided_end == block && before + QUAD_WINDOW == start))) {
        return false;
    }
    packed->strided_begin = begins ? block : packed->strided_begin;
    packed->strided_end = block + 1;
    packed->strided_quads = quads > packed->strided_quads ? quads : packed->strided_quads;
    return true;
}

// Writes the indices of a quad that starts `sample` samples after its window. Indices beyond the registers are clamped;
// their samples have no weight.
static void pack_indices(const tpk_packed *packed, int32_t sample, uint8_t *bytes) {
    if (packed->registers == 0) {
        for (int32_t j = 0; j < 4; j++) {
            bytes[j] = (uint8_t)(sample + j < NARROW_WINDOW ? sample + j : NARROW_WINDOW - 1);
        }
        return;
    }
    const int32_t last = packed->registers * (QUAD_WINDOW / 4) - 1, index = sample / 4 < last ? sample / 4 : last;
    memcpy(bytes, &index, sizeof index);
}

static void pack_weights(const tpk_horizontal *plan, int32_t result, int32_t first, uint8_t *bytes) {
    for (int32_t j = 0; result < plan->count && j < 4; j++) {
        const int32_t tap = first + j - plan->left[result];
        bytes[j] = tap >= 0 && tap < plan->taps ? (uint8_t)weights_of(plan, result)[tap] : 0;
    }
}

// Writes the vectors of a block: indices and weights, or only weights if it is strided.
static void pack_block(const tpk_horizontal *plan, const tpk_packed *packed, const block_samples *samples,
                       int32_t block, int32_t start, const bool strided, uint8_t *vectors) {
    for (int32_t i = 0; i < QUAD_RESULTS; i++) {
        const int32_t first = first_sample(samples, packed->registers, start, i);
        uint8_t *bytes = vectors + 4 * i;
        for (int32_t group = 0; group < packed->groups; group++, bytes += QUAD_WINDOW) {
            if (!strided) {
                const int32_t window = start + travel(plan, packed->registers, moves_on(packed), start, group);
                pack_indices(packed, first + 4 * group - window, bytes);
                bytes += QUAD_WINDOW;
            }
            pack_weights(plan, block * QUAD_RESULTS + i, first + 4 * group, bytes);
        }
    }
}

bool tpk_quads_pack(const tpk_horizontal *plan, void *bytes) {
    tpk_packed packed = shape(plan);
    if (packed.groups == 0) {
        return false;
    }
    const size_t size = vectors_size(&packed);
    int32_t *place = (int32_t *)((tpk_packed *)bytes + 1);
    uint8_t *const first = (uint8_t *)bytes + tpk_vectors_offset(&packed), *next = first;
    int32_t before = 0;
    for (int32_t block = 0; block < packed.blocks; block++, place += packed.place) {
        const block_samples samples = samples_of(plan, block);
        const int32_t start = quads_of(plan, packed.registers, moves_on(&packed), &samples).start;
        const bool strided = joins_strided(plan, &packed, &samples, block, start, before);
        memset(next, 0, size);
        pack_block(plan, &packed, &samples, block, start, strided, next);
        before = place[1] = start;
        next = tpk_store_once(place, first, next, size);
    }
    memcpy(bytes, &packed, sizeof packed);
    return true;
}
