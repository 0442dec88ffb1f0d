// The specification of the kernels. Every other level must produce its bytes exactly.
#include <string.h>

#include "cube.h"
#include "levels.h"
#include "simple.h"

// The reference reads plans as they are and packs nothing.
static size_t packed_size(const tpk_horizontal *plan) {
    (void)plan;
    return 0;
}

static void pack(const tpk_horizontal *plan, void *packed) {
    (void)plan;
    (void)packed;
}

static void horizontal(const tpk_horizontal *plan, int16_t *const *pairs, const uint8_t *source, ptrdiff_t stride,
                       size_t pair_count, size_t first, size_t last) {
    const size_t taps = (size_t)plan->taps;
    for (size_t row = 0; row < 2 * pair_count; row++, source += stride) {
        for (size_t i = first; i < last; i++) {
            const uint8_t *samples = source + plan->left[i];
            const int8_t *weights = plan->weights + i * taps;
            int32_t sum = 16384;
            for (size_t j = 0; j < taps; j++) {
                sum += samples[j] * weights[j];
            }
            pairs[row / 2][2 * i + row % 2] = (int16_t)sum;
        }
    }
}

static void vertical(uint8_t *dst, ptrdiff_t stride, const int16_t *const *ring, const tpk_vertical_row *rows,
                     size_t row_count, size_t count) {
    for (size_t row = 0; row < row_count; row++, rows++, dst += stride) {
        for (size_t i = 0; i < count; i++) {
            int32_t sum = (1 << 28) + (1 << 20);
            for (int32_t p = 0; p < rows->pair_count; p++) {
                const int16_t *samples = ring[rows->slot + p] + 2 * i, *weights = rows->weights + 2 * p;
                sum += weights[0] * samples[0] + weights[1] * samples[1];
            }
            dst[i] = clamped(sum >> 21);
        }
    }
}

static void copy(uint8_t *dst, ptrdiff_t stride, const uint8_t *src, ptrdiff_t src_stride, size_t rows, size_t count) {
    for (; rows > 0; rows--, dst += stride, src += src_stride) {
        memcpy(dst, src, count);
    }
}

static void transpose(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride, size_t width,
                      size_t height) {
    for (size_t y = 0; y < height; y++) {
        for (size_t x = 0; x < width; x++) {
            dst[(ptrdiff_t)y * dst_stride + (ptrdiff_t)x] = src[(ptrdiff_t)x * src_stride + (ptrdiff_t)y];
        }
    }
}

BLEND_KERNELS(, reference)
CONVERT_KERNELS(, reference)

void tpk_fill_reference(tpk_table *table) {
    table->level = TPK_C;
    table->packed_size = packed_size;
    table->pack = pack;
    table->horizontal = horizontal;
    table->vertical = vertical;
    table->cube_luma = tpk_cube_luma;
    table->cube_chroma = tpk_cube_chroma;
    table->copy = copy;
    table->transpose = transpose;
    FILL_SIMPLE_KERNELS(table, reference)
}
