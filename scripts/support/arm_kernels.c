// Compares the arm64 kernels with the reference byte by byte, with random planes and extreme weights.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pixel_kernels.h"

static uint64_t state = 88172645463325252ULL;

static uint32_t below(uint32_t limit) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)((state >> 11) % limit);
}

static void fill(uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const uint32_t kind = below(4);
        bytes[i] = kind == 0 ? 0 : kind == 1 ? 255 : (uint8_t)below(256);
    }
}

static int failures = 0;

static void compare(const char *what, const void *a, const void *b, size_t size) {
    if (memcmp(a, b, size) != 0) {
        failures++;
        printf("arm64: %s differs\n", what);
    }
}

// Weights of one result: -128 at one tap, or -96, -96 and 64 two taps apart, as in the Swift tests.
static void extreme_weights(int8_t *weights, int32_t taps) {
    memset(weights, 0, (size_t)taps);
    const int32_t at = (int32_t)below((uint32_t)taps);
    if (at + 1 >= taps || below(2) == 0) {
        weights[at] = -128;
        return;
    }
    weights[at] = -96;
    weights[at + 1] = -96;
    weights[at >= 2 ? at - 2 : at + 3 < taps ? at + 3 : at] += at >= 2 || at + 3 < taps ? 64 : 0;
}

static void test_horizontal(const tpk_table *tables) {
    const int32_t taps = 4 * (1 + (int32_t)below(6)), count = 1 + (int32_t)below(300);
    const int32_t source = taps + TPK_WINDOW + (int32_t)below(2000);
    int32_t *left = malloc(sizeof *left * (size_t)count);
    int8_t *weights = malloc((size_t)count * (size_t)taps);
    for (int32_t i = 0; i < count; i++) {
        left[i] = (int32_t)((int64_t)i * (source - taps) / count);
        extreme_weights(weights + (size_t)i * (size_t)taps, taps);
    }
    const size_t pair_count = 1 + below(9), size = (size_t)2 * ((size_t)count + TPK_PAIR_PADDING);
    uint8_t *samples = malloc((size_t)source * 2 * pair_count);
    fill(samples, (size_t)source * 2 * pair_count);
    const size_t first = below((uint32_t)count), last = first + 1 + below((uint32_t)(count - (int32_t)first));
    int16_t *results[2][16];
    for (int side = 0; side < 2; side++) {
        tpk_horizontal plan = {source, count, taps, left, weights, NULL};
        const size_t packed_size = tables[side].packed_size(&plan);
        void *packed = aligned_alloc(64, packed_size + 64 - packed_size % 64);
        tables[side].pack(&plan, packed);
        plan.packed = packed;
        for (size_t p = 0; p < pair_count; p++) {
            results[side][p] = calloc(size + 64, sizeof(int16_t));
        }
        tables[side].horizontal(&plan, results[side], samples, source, pair_count, first, last);
        free(packed);
    }
    for (size_t p = 0; p < pair_count; p++) {
        compare("horizontal", results[0][p] + 2 * first, results[1][p] + 2 * first, 4 * (last - first));
        free(results[0][p]);
        free(results[1][p]);
    }
    free(left);
    free(weights);
    free(samples);
}

static void test_vertical(const tpk_table *tables) {
    enum { PAIRS = 24, ROWS = 7 };
    const size_t count = 1 + below(700);
    int16_t *ring[PAIRS], weights[ROWS][2 * PAIRS];
    for (size_t p = 0; p < PAIRS; p++) {
        ring[p] = malloc(sizeof(int16_t) * 2 * (count + TPK_PAIR_PADDING));
        for (size_t i = 0; i < 2 * (count + TPK_PAIR_PADDING); i++) {
            const uint32_t kind = below(3);
            ring[p][i] = kind == 0 ? -32576 : kind == 1 ? 32704 : (int16_t)((int32_t)below(65281) - 32576);
        }
    }
    tpk_vertical_row rows[ROWS];
    for (size_t row = 0; row < ROWS; row++) {
        const uint32_t slot = below(PAIRS), pairs = 1 + below(PAIRS - slot);
        memset(weights[row], 0, sizeof weights[row]);
        weights[row][below(2 * pairs)] = -16384;
        weights[row][below(2 * pairs)] -= 8192;
        weights[row][below(2 * pairs)] += 8192;
        rows[row] = (tpk_vertical_row){weights[row], (int32_t)pairs, (int32_t)slot};
    }
    uint8_t *results[2];
    for (int side = 0; side < 2; side++) {
        results[side] = calloc(ROWS, count);
        tables[side].vertical(
            results[side], (ptrdiff_t)count, (const int16_t *const *)ring, rows, ROWS, count);
    }
    compare("vertical", results[0], results[1], ROWS * count);
    for (size_t p = 0; p < PAIRS; p++) {
        free(ring[p]);
    }
    free(results[0]);
    free(results[1]);
}

static void test_rows(const tpk_table *tables) {
    const size_t count = 1 + below(900), rows = 1 + below(4);
    uint8_t *source = malloc(count * rows), *coverage = malloc(count), *results[2];
    fill(source, count * rows);
    fill(coverage, count);
    const uint8_t value = (uint8_t)below(256);
    uint8_t *start = malloc(count * rows);
    fill(start, count * rows);
    for (int kind = 0; kind < 5; kind++) {
        for (int side = 0; side < 2; side++) {
            results[side] = malloc(count * rows);
            memcpy(results[side], start, count * rows);
            const ptrdiff_t stride = (ptrdiff_t)count;
            switch (kind) {
            case 0: tables[side].blend(results[side], source, coverage, count); break;
            case 1: tables[side].blend_over(results[side], stride, rows, value, coverage, count); break;
            case 2: tables[side].blend_under(results[side], stride, rows, value, coverage, count); break;
            case 3: tables[side].copy(results[side], stride, source, stride, rows, count); break;
            default: tables[side].transpose(results[side], (ptrdiff_t)rows, source, stride, rows, count); break;
            }
        }
        const char *names[] = {"blend", "blend_over", "blend_under", "copy", "transpose"};
        compare(names[kind], results[0], results[1], count * rows);
        free(results[0]);
        free(results[1]);
    }
    free(source);
    free(coverage);
    free(start);
}

int main(void) {
    tpk_table tables[2];
    tpk_table_init(&tables[0], TPK_C);
    if (!tpk_level_available(TPK_NEON)) {
        printf("arm64: the level NEON is not there\n");
        return 1;
    }
    tpk_table_init(&tables[1], TPK_NEON);
    int rounds = 0;
    for (; rounds < 3000; rounds++) {
        test_horizontal(tables);
        test_vertical(tables);
        test_rows(tables);
    }
    printf("arm64: %d rounds, %d differences\n", rounds, failures);
    return failures > 0;
}
