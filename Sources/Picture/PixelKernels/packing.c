#include "packing.h"

#include <stdlib.h>
#include <string.h>

#include "prefetch.h"

// Returns the tap stored at place j.
static int32_t tap_in_place(tpk_vector vector, int32_t j) {
    static const int32_t order[4] = {0, 2, 1, 3};
    return vector.saturates ? (j & ~3) + order[j & 3] : j;
}

static int32_t least(int32_t a, int32_t b) {
    return a < b ? a : b;
}

// Returns the index of a result, clamped to the last one. Results after the last one repeat it, without weight.
static int32_t result_within(const tpk_horizontal *plan, int32_t result) {
    return least(result, plan->count - 1);
}

// Returns the first source sample of a result's first quad. The result's last quad ends within the source.
static int32_t first_sample(const tpk_horizontal *plan, const tpk_packed *packed, int32_t result) {
    return least(plan->left[result_within(plan, result)], plan->source - 4 * tpk_quads(packed));
}

// Returns the distance from the first group's window to that of `group`, if the source does not end before.
static int32_t travel(const tpk_packed *packed, int32_t group) {
    return group / packed->stay * packed->stay * packed->width;
}

// Returns the start of the first group's window.
static int32_t window_start(const tpk_horizontal *plan, const tpk_packed *packed, tpk_vector vector, int32_t result) {
    int32_t start = packed->last_window - (vector.folds ? 0 : travel(packed, packed->groups - 1));
    for (int32_t i = result; i < result + packed->results; i++) {
        start = least(start, first_sample(plan, packed, i));
    }
    return start;
}

// Returns the start of the window of `group`, if that of the first group is `start`.
static int32_t moved_window(const tpk_packed *packed, int32_t group, int32_t start) {
    return least(start + travel(packed, group), packed->last_window);
}

// Returns true if the results from `result` on have all their samples in windows of which the first starts at `start`.
static bool serves(const tpk_horizontal *plan, const tpk_packed *packed, tpk_vector vector, int32_t result,
                   int32_t start) {
    for (int32_t group = 0; group < packed->groups; group++) {
        const int32_t window = moved_window(packed, group, start);
        const int32_t rest = group + 1 == packed->groups ? 4 * packed->rest : 0;
        for (int32_t i = result; i < result + packed->results; i++) {
            const int32_t sample = first_sample(plan, packed, i) + group * packed->width;
            if (sample < window || sample + packed->width + rest > window + vector.window) {
                return false;
            }
        }
    }
    return true;
}

static bool fits(const tpk_horizontal *plan, const tpk_packed *packed, tpk_vector vector) {
    for (int32_t first = 0; first < plan->count; first += packed->results) {
        if (!serves(plan, packed, vector, first, window_start(plan, packed, vector, first))) {
            return false;
        }
    }
    return true;
}

// Sets the number of results per window.
static void hold(const tpk_horizontal *plan, tpk_packed *shape, tpk_vector vector, int32_t results) {
    const int32_t block = vector.lanes * shape->units * results;
    shape->results = results;
    shape->blocks = (plan->count + block - 1) / block;
}

// Returns the shape in which one window serves all groups.
static tpk_packed shape_of_width(const tpk_horizontal *plan, tpk_vector vector, int32_t width) {
    tpk_packed shape = {.width = width, .units = width / 4, .groups = (plan->taps + width - 1) / width};
    shape.stay = shape.groups;
    shape.last_window = plan->source - vector.window;
    shape.is_short =
        plan->count == 0 || abs(plan->left[plan->count - 1] - plan->left[0]) + plan->taps <= SHORT_ROW;
    hold(plan, &shape, vector, vector.window / width);
    shape.place = 1 + shape.units * vector.lanes;
    return shape;
}

// Returns true if the results of the block from `result` on are four samples apart, starting at `start`, and the source
// has twice as many samples from there.
static bool is_strided(const tpk_horizontal *plan, const tpk_packed *packed, int32_t window, int32_t result,
                       int32_t start) {
    for (int32_t i = 0; i < window / 4; i++) {
        if (first_sample(plan, packed, result + i) != start + 4 * i) {
            return false;
        }
    }
    return start + 2 * window <= plan->source;
}

// Tries to let the windows of a folding level contain fewer results, so that they serve two groups each and cost less
// than folding. Strided blocks are not reduced.
static bool hold_less(const tpk_horizontal *plan, tpk_vector vector, tpk_packed *shape) {
    static const int32_t fewest[] = {0, 0, 11, 13, 14};
    const int32_t middle = plan->count / 2;
    if (!vector.folds || shape->width > 4 || shape->groups < 2 || shape->groups > 4 ||
        is_strided(plan, shape, vector.window, middle, first_sample(plan, shape, middle))) {
        return false;
    }
    tpk_packed other = *shape;
    other.stay = 2;
    for (int32_t results = vector.window / 4 - 1; results >= fewest[shape->groups]; results--) {
        hold(plan, &other, vector, results);
        if (fits(plan, &other, vector)) {
            *shape = other;
            return true;
        }
    }
    return false;
}

// Tries to store the last of each result's 3, 5 or 7 quads as the rest (see packing.h) of a folding level's shape.
static bool make_rest(const tpk_horizontal *plan, tpk_vector vector, tpk_packed *shape) {
    if (!vector.folds || shape->width != 8 || plan->taps % 8 == 0 || shape->groups < 2 || shape->groups > 4) {
        return false;
    }
    tpk_packed other = *shape;
    other.rest = 1;
    other.stay = other.groups -= 1;
    if (!fits(plan, &other, vector)) {
        return false;
    }
    *shape = other;
    return true;
}

// Returns true if the level has a loop for windows that serve this many groups. If several groups would each need a
// window of their own, folding costs less.
static bool is_kept(tpk_vector vector, const tpk_packed *shape) {
    if (vector.folds) {
        return shape->width > 4 || shape->stay > 1 || shape->groups == 1;
    }
    return shape->width == 4 || shape->stay == 1;
}

// Returns the cheapest shape that fits.
static tpk_packed shape(const tpk_horizontal *plan, tpk_vector vector) {
    for (int32_t width = 4; true; width *= 2) {
        tpk_packed shape = shape_of_width(plan, vector, width);
        if (make_rest(plan, vector, &shape)) {
            return shape;
        }
        const int32_t stays[] = {shape.groups, (shape.groups + 1) / 2, 1};
        for (size_t i = 0; i < sizeof stays / sizeof *stays; i++) {
            shape.stay = stays[i];
            if (is_kept(vector, &shape) && fits(plan, &shape, vector)) {
                return shape;
            }
        }
        if (hold_less(plan, vector, &shape)) {
            return shape;
        }
    }
}

static size_t aligned(size_t bytes) {
    return (bytes + 63) & ~(size_t)63;
}

size_t tpk_vectors_offset(const tpk_packed *packed) {
    return sizeof *packed + aligned(sizeof(int32_t) * (size_t)(packed->blocks * packed->place));
}

// Returns the number of bytes of a block's vectors.
static size_t vectors_size(const tpk_packed *packed, tpk_vector vector) {
    return 2 * (size_t)(packed->units * packed->groups + packed->rest) * (size_t)(vector.lanes * vector.window);
}

size_t tpk_packed_size(const tpk_horizontal *plan, tpk_vector vector) {
    const tpk_packed packed = shape(plan, vector);
    return aligned(tpk_vectors_offset(&packed) + (size_t)packed.blocks * vectors_size(&packed, vector));
}

// Returns the position of quad `quad` of a window's result in a vector of its unit, counted in quads.
static int32_t quad_place(const tpk_packed *packed, tpk_vector vector, int32_t unit, int32_t result, int32_t quad) {
    const int32_t quads = packed->width / 4, half = quads / 2;
    if (!vector.folds || half == 0) {
        return result * quads + quad;
    }
    const bool upper = (quad >= half) != (unit % 2 > 0);
    return result * half + quad % half + (upper ? vector.window / 8 : 0);
}

// Writes four indices for the samples from `first` on, and their weights one vector later.
static void pack_quad(const tpk_horizontal *plan, tpk_vector vector, int32_t result, int32_t first, int32_t window,
                      uint8_t *bytes) {
    const int32_t left = plan->left[result_within(plan, result)];
    const int8_t *weights = plan->weights + (size_t)result_within(plan, result) * (size_t)plan->taps;
    for (int32_t j = 0; j < 4; j++) {
        const int32_t sample = first + tap_in_place(vector, j), tap = sample - left;
        const bool weighs = result < plan->count && tap >= 0 && tap < plan->taps;
        bytes[j] = (uint8_t)(sample - window);
        bytes[vector.lanes * vector.window + j] = weighs ? (uint8_t)weights[tap] : 0;
    }
}

// Writes the part of a block that belongs to a unit's window; `bytes` is the address of its first index.
static void pack_window(const tpk_horizontal *plan, const tpk_packed *packed, tpk_vector vector, int32_t unit,
                        int32_t result, int32_t start, uint8_t *bytes) {
    const int32_t vector_size = vector.lanes * vector.window;
    for (int32_t group = 0; group < packed->groups; group++, bytes += 2 * vector_size) {
        const int32_t moved = group * packed->width, window = moved_window(packed, group, start);
        for (int32_t i = 0; i < packed->results; i++) {
            for (int32_t quad = 0; quad < packed->width / 4; quad++) {
                pack_quad(plan, vector, result + i, first_sample(plan, packed, result + i) + moved + 4 * quad, window,
                          bytes + 4 * quad_place(packed, vector, unit, i, quad));
            }
        }
    }
}

// Writes the last quads of a block's results, whose samples are in the two windows of its place.
static void pack_rest(const tpk_horizontal *plan, const tpk_packed *packed, tpk_vector vector, int32_t block,
                      const int32_t *place, uint8_t *bytes) {
    const int32_t results = vector.window / 4;
    for (int32_t i = 0; i < results; i++) {
        const int32_t result = block * results + i, sample = first_sample(plan, packed, result) + 8 * packed->groups;
        const bool after = i >= results / 2;
        pack_quad(plan, vector, result, sample, after ? place[2] - vector.window : place[1], bytes + 4 * i);
    }
}

// Finds the first run of blocks that are strided, also from one to the next.
static void find_strided(const tpk_horizontal *plan, tpk_packed *packed, tpk_vector vector) {
    const int32_t window = vector.window, results = window / 4;
    int32_t block = 0, start = 0;
    for (; block < packed->blocks; block++) {
        start = window_start(plan, packed, vector, block * results);
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

static bool in_strided(const tpk_packed *packed, int32_t block) {
    return block >= packed->strided_begin && block < packed->strided_end;
}

// Returns true if the block's windows can start where those of the previous block do.
static bool continues(const tpk_horizontal *plan, const tpk_packed *packed, tpk_vector vector, int32_t block,
                      const int32_t *before) {
    return before != NULL && packed->units * vector.lanes == 1 &&
           serves(plan, packed, vector, block * packed->results, before[1]);
}

// Writes the place and the weights of a strided block.
static void pack_strided(const tpk_horizontal *plan, const tpk_packed *packed, tpk_vector vector, int32_t block,
                         int32_t *place, uint8_t *vectors) {
    const int32_t results = vector.window / 4;
    for (int32_t unit = 0; unit < packed->units; unit++) {
        place[1 + unit] = first_sample(plan, packed, block * results);
    }
    for (int32_t result = block * results; result < (block + 1) * results; result++, vectors += 4) {
        const int8_t *weights = plan->weights + (size_t)result * (size_t)plan->taps;
        const int32_t lead = plan->left[result] - first_sample(plan, packed, result);
        for (int32_t tap = 0; tap < plan->taps; tap++) {
            const int32_t at = lead + tap;
            vectors[at / 4 * vector.window + at % 4] = (uint8_t)weights[tap];
        }
    }
}

// Writes the place and the vectors of a block; `before` is the place of the previous block, or NULL.
static void pack_block(const tpk_horizontal *plan, const tpk_packed *packed, tpk_vector vector, int32_t block,
                       const int32_t *before, int32_t *place, uint8_t *vectors) {
    const int32_t windows = packed->units * vector.lanes;
    const size_t vector_size = (size_t)(vector.lanes * vector.window);
    for (int32_t i = 0; i < windows; i++) {
        const int32_t lane = i / packed->units, unit = i % packed->units;
        const int32_t first = (block * windows + i) * packed->results;
        const int32_t start = continues(plan, packed, vector, block, before)
                                  ? before[1]
                                  : window_start(plan, packed, vector, first);
        place[1 + unit * vector.lanes + lane] = start;
        pack_window(plan, packed, vector, unit, first, start,
                    vectors + 2 * (size_t)(unit * packed->groups) * vector_size + lane * vector.window);
    }
    if (packed->rest > 0) {
        pack_rest(plan, packed, vector, block, place, vectors + vectors_size(packed, vector) - 2 * vector_size);
    }
}

uint8_t *tpk_store_once(int32_t *place, uint8_t *first, uint8_t *next, size_t size) {
    enum { REMEMBERED = 16 };
    uint8_t *same = next - first > (ptrdiff_t)(REMEMBERED * size) ? next - REMEMBERED * size : first;
    while (memcmp(same, next, size) != 0) {
        same += size;
    }
    place[0] = (int32_t)(same - (uint8_t *)place);
    return next + (same == next ? size : 0);
}

void tpk_pack(const tpk_horizontal *plan, tpk_vector vector, void *bytes) {
    tpk_packed packed = shape(plan, vector);
    if (vector.folds && packed.units * packed.results == vector.window / 4 &&
        tpk_quads(&packed) <= MOST_STRIDED_QUADS) {
        find_strided(plan, &packed, vector);
        packed.strided_quads = tpk_quads(&packed);
    }
    memcpy(bytes, &packed, sizeof packed);
    const size_t size = vectors_size(&packed, vector);
    int32_t *place = (int32_t *)((tpk_packed *)bytes + 1);
    uint8_t *const first = (uint8_t *)bytes + tpk_vectors_offset(&packed), *next = first;
    for (int32_t block = 0; block < packed.blocks; block++, place += packed.place) {
        memset(next, 0, size);
        if (in_strided(&packed, block)) {
            pack_strided(plan, &packed, vector, block, place, next);
        } else {
            pack_block(plan, &packed, vector, block, block > 0 ? place - packed.place : NULL, place, next);
        }
        next = tpk_store_once(place, first, next, size);
    }
}
