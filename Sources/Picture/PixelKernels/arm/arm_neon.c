// The NEON level: one window of 16 bytes per vector, 4 results per block. Kernels that the compiler vectorizes well
// stay those of the reference.
#if defined(__aarch64__)
#include <arm_neon.h>

#include "levels.h"
#include "packing.h"

enum { BLOCK = 4, VECTOR = 16, MOST_UNITS = 4 };

static const tpk_vector vector_shape = {16, 1, false, false};

static size_t packed_size_neon(const tpk_horizontal *plan) {
    return tpk_packed_size(plan, vector_shape);
}

static void pack_neon(const tpk_horizontal *plan, void *packed) {
    tpk_pack(plan, vector_shape, packed);
}

// Sums one unit of a block: 16-bit sums, modulo 2^16, of two taps in every four.
static int16x8_t unit_sum(const uint8_t *window, const uint8_t *data, size_t groups, size_t stay, size_t width) {
    int16x8_t low = vdupq_n_s16(0), high = vdupq_n_s16(0);
    for (size_t group = 0; group < groups; group++, data += 2 * VECTOR) {
        const uint8x16_t taps = vqtbl1q_u8(vld1q_u8(window + group / stay * stay * width), vld1q_u8(data));
        const int8x16_t weights = vreinterpretq_s8_u8(vld1q_u8(data + VECTOR));
        low = vmlaq_s16(low, vreinterpretq_s16_u16(vmovl_u8(vget_low_u8(taps))), vmovl_s8(vget_low_s8(weights)));
        high = vmlaq_s16(high, vreinterpretq_s16_u16(vmovl_high_u8(taps)), vmovl_high_s8(weights));
    }
    return vpaddq_s16(low, high);
}

// Returns two partial sums for each of the four results of a block.
static int16x8_t block_sums(const tpk_packed *packed, const uint8_t *row, const int32_t *starts, const uint8_t *data) {
    const size_t units = (size_t)packed->units, groups = (size_t)packed->groups;
    int16x8_t sums[MOST_UNITS];
    for (size_t unit = 0; unit < units; unit++) {
        sums[unit] = unit_sum(row + starts[unit], data + 2 * unit * groups * VECTOR, groups, (size_t)packed->stay,
                              (size_t)packed->width);
    }
    for (size_t step = 1; step < units; step *= 2) {
        for (size_t unit = 0; unit < units; unit += 2 * step) {
            sums[unit] = vpaddq_s16(sums[unit], sums[unit + step]);
        }
    }
    return sums[0];
}

static void horizontal_neon(const tpk_horizontal *plan, int16_t *const *pairs, const uint8_t *source,
                            ptrdiff_t stride, size_t pair_count, size_t first, size_t last) {
    const tpk_packed *packed = plan->packed;
    for (size_t block = first / BLOCK; block * BLOCK < last; block++) {
        const int32_t *place = tpk_place(packed, block);
        const uint8_t *data = tpk_vectors(place);
        for (size_t pair = 0; pair < pair_count; pair++) {
            const uint8_t *row = source + 2 * (ptrdiff_t)pair * stride;
            const int16x8_t even = block_sums(packed, row, place + 1, data);
            const int16x8_t odd = block_sums(packed, row + stride, place + 1, data);
            const int16x8_t sums = vaddq_s16(vpaddq_s16(even, odd), vdupq_n_s16(16384));
            vst1q_s16(pairs[pair] + 2 * block * BLOCK, vzip1q_s16(sums, vextq_s16(sums, sums, 4)));
        }
    }
}

// Computes 8 results from `column` on.
static uint8x8_t vertical_block(const int16_t *const *pairs, const int16_t *weights, size_t pair_count,
                                size_t column) {
    int32x4_t low = vdupq_n_s32((1 << 28) + (1 << 20)), high = low;
    for (size_t p = 0; p < pair_count; p++) {
        const int16x8x2_t samples = vld2q_s16(pairs[p] + 2 * column);
        for (size_t r = 0; r < 2; r++) {
            low = vmlal_n_s16(low, vget_low_s16(samples.val[r]), weights[2 * p + r]);
            high = vmlal_high_n_s16(high, samples.val[r], weights[2 * p + r]);
        }
    }
    return vqmovn_u16(vcombine_u16(vqmovun_s32(vshrq_n_s32(low, 21)), vqmovun_s32(vshrq_n_s32(high, 21))));
}

static void vertical_row(uint8_t *dst, const int16_t *const *pairs, const int16_t *weights, size_t pair_count,
                         size_t count) {
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        vst1_u8(dst + i, vertical_block(pairs, weights, pair_count, i));
    }
    if (i < count) {
        uint8_t rest[8];
        vst1_u8(rest, vertical_block(pairs, weights, pair_count, i));
        for (size_t j = 0; i + j < count; j++) {
            dst[i + j] = rest[j];
        }
    }
}

static void vertical_neon(uint8_t *dst, ptrdiff_t stride, const int16_t *const *ring, const tpk_vertical_row *rows,
                          size_t row_count, size_t count) {
    for (; row_count > 0; row_count--, rows++, dst += stride) {
        vertical_row(dst, ring + rows->slot, rows->weights, (size_t)rows->pair_count, count);
    }
}

void tpk_fill_neon(tpk_table *table) {
    table->level = TPK_NEON;
    table->packed_size = packed_size_neon;
    table->pack = pack_neon;
    table->horizontal = horizontal_neon;
    table->vertical = vertical_neon;
}
#endif
