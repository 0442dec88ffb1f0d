// The AVX2 level: two windows of 16 bytes per vector, 8 results per block. vpmaddubsw sums two taps of a result at a
// time.
#if defined(__x86_64__)
#include <string.h>

#include "levels.h"
#include "packing.h"
#include "prefetch.h"
#include "simple.h"
#include "x86_avx2.h"

enum { BLOCK = 8, VECTOR = 32, MOST_ROWS = 4 };

static const tpk_vector vector_shape = {16, 2, true, false};

size_t tpk_packed_size_avx2(const tpk_horizontal *plan) {
    return tpk_packed_size(plan, vector_shape);
}

void tpk_pack_avx2(const tpk_horizontal *plan, void *packed) {
    tpk_pack(plan, vector_shape, packed);
}

AVX2_INLINE __m128i load_half(const void *at) {
    return _mm_loadu_si128((const __m128i *)at);
}

AVX2_INLINE __m256i load_windows(const uint8_t *low, const uint8_t *high) {
    return _mm256_inserti128_si256(_mm256_castsi128_si256(load_half(low)), load_half(high), 1);
}

// The parameters of the horizontal pass: the packed plan, the destination and the source.
#define PASS const tpk_packed *packed, int16_t *const *pairs, const uint8_t *source, ptrdiff_t stride

// Sums one unit of a block for some rows: 16-bit sums, modulo 2^16, of two taps in every four, with the center
// included.
AVX2_INLINE void sum_unit(__m256i sums[MOST_ROWS], const uint8_t *const *rows, const size_t row_count,
                          const int32_t *starts, const uint8_t *data, const size_t groups, const size_t stay,
                          const size_t width, const int32_t center) {
    const size_t low = (size_t)starts[0], high = (size_t)starts[1];
    __m256i bytes[MOST_ROWS];
#pragma clang loop unroll(full)
    for (size_t r = 0; r < row_count; r++) {
        sums[r] = _mm256_set1_epi32(center);
        bytes[r] = load_windows(rows[r] + low, rows[r] + high);
    }
    for (size_t group = 0; group < groups; group++) {
        const __m256i indices = load(data + 2 * group * VECTOR);
        const __m256i weights = load(data + (2 * group + 1) * VECTOR);
#pragma clang loop unroll(full)
        for (size_t r = 0; r < row_count; r++) {
            if (group > 0 && group % stay == 0) {
                bytes[r] = load_windows(rows[r] + low + group * width, rows[r] + high + group * width);
            }
            sums[r] = _mm256_add_epi16(sums[r], _mm256_maddubs_epi16(_mm256_shuffle_epi8(bytes[r], indices), weights));
        }
    }
}

// Adds the two halves of every result of two rows, modulo 2^16, and interleaves the rows.
AVX2_INLINE __m256i interleaved(__m256i even, __m256i odd) {
    const __m256i ones = _mm256_set1_epi16(1);
    return _mm256_blend_epi16(_mm256_madd_epi16(even, ones), _mm256_slli_epi32(_mm256_madd_epi16(odd, ones), 16), 0xaa);
}

AVX2_INLINE void horizontal_rows(PASS, const size_t row_count, const size_t units, const size_t groups,
                                 const size_t stay, size_t first, size_t last) {
    const size_t unit_size = 2 * groups * VECTOR;
    const int32_t *place = tpk_place(packed, first / BLOCK);
    const uint8_t *rows[MOST_ROWS];
    int16_t *results[MOST_ROWS / 2];
#pragma clang loop unroll(full)
    for (size_t r = 0; r < row_count; r++) {
        rows[r] = source + (ptrdiff_t)r * stride;
        results[r / 2] = pairs[r / 2];
    }
    next_rows next = {source + (ptrdiff_t)row_count * stride, place[1], packed->is_short};
    for (size_t i = first & ~(size_t)(BLOCK - 1); i < last; i += BLOCK, place += 1 + 2 * units) {
        fetch_rows(&next, stride, row_count, place[1], 64);
        const uint8_t *data = tpk_vectors(place);
        __m256i sums[4][MOST_ROWS];
        for (size_t unit = 0; unit < units; unit++, data += unit_size) {
            sum_unit(sums[unit], rows, row_count, place + 1 + 2 * unit, data, groups, stay, 4 * units,
                     16384 / (int32_t)units);
        }
        for (size_t step = 1; step < units; step *= 2) {
            for (size_t unit = 0; unit < units; unit += 2 * step) {
                for (size_t r = 0; r < row_count; r++) {
                    sums[unit][r] = _mm256_hadd_epi16(sums[unit][r], sums[unit + step][r]);
                }
            }
        }
#pragma clang loop unroll(full)
        for (size_t r = 0; r < row_count; r += 2) {
            _mm256_storeu_si256((__m256i *)(results[r / 2] + 2 * i), interleaved(sums[0][r], sums[0][r + 1]));
        }
    }
}

AVX2_INLINE void horizontal_units(PASS, size_t pair_count, const size_t units, const size_t groups, const size_t stay,
                                  size_t first, size_t last) {
    size_t pair = 0;
    for (; pair + 2 <= pair_count; pair += 2, source += 4 * stride) {
        horizontal_rows(packed, pairs + pair, source, stride, 4, units, groups, stay, first, last);
    }
    if (pair < pair_count) {
        horizontal_rows(packed, pairs + pair, source, stride, 2, units, groups, stay, first, last);
    }
}

// The compiler generates one loop for every common shape, without a branch in it.
#define SHAPE(groups, units, stay) \
    horizontal_units(packed, pairs, source, stride, pair_count, units, groups, stay, first, last)

AVX2 void tpk_horizontal_avx2(const tpk_horizontal *plan, int16_t *const *pairs, const uint8_t *source,
                              ptrdiff_t stride, size_t pair_count, size_t first, size_t last) {
    const tpk_packed *packed = plan->packed;
    const size_t groups = (size_t)packed->groups, stay = (size_t)packed->stay;
    if (packed->units == 1 && stay == groups) {
        switch (groups) {
        case 1: SHAPE(1, 1, 1); break;
        case 2: SHAPE(2, 1, 2); break;
        default: SHAPE(groups, 1, groups);
        }
    } else if (packed->units == 1 && stay == 1) {
        switch (groups) {
        case 2: SHAPE(2, 1, 1); break;
        case 3: SHAPE(3, 1, 1); break;
        case 4: SHAPE(4, 1, 1); break;
        default: SHAPE(groups, 1, 1);
        }
    } else if (packed->units == 1) {
        switch (groups) {
        case 3: SHAPE(3, 1, 2); break;
        case 4: SHAPE(4, 1, 2); break;
        default: SHAPE(groups, 1, stay);
        }
    } else if (packed->units == 2) {
        switch (groups) {
        case 2: SHAPE(2, 2, 1); break;
        case 3: SHAPE(3, 2, 1); break;
        default: SHAPE(groups, 2, 1);
        }
    } else {
        SHAPE(groups, 4, 1);
    }
}

// Computes the sums of `vectors` times 8 results from `column` on, scaled.
AVX2_INLINE void sum_columns(__m256i *sums, const int16_t *const *pairs, const int16_t *weights, size_t pair_count,
                             size_t column, const size_t vectors) {
#pragma clang loop unroll(full)
    for (size_t k = 0; k < vectors; k++) {
        sums[k] = _mm256_set1_epi32((1 << 28) + (1 << 20));
    }
    for (size_t p = 0; p < pair_count; p++) {
        int32_t both;
        memcpy(&both, weights + 2 * p, sizeof both);
        const __m256i weight = _mm256_set1_epi32(both);
        const int16_t *samples = pairs[p] + 2 * column;
#pragma clang loop unroll(full)
        for (size_t k = 0; k < vectors; k++) {
            sums[k] = _mm256_add_epi32(sums[k], _mm256_madd_epi16(load(samples + 16 * k), weight));
        }
    }
#pragma clang loop unroll(full)
    for (size_t k = 0; k < vectors; k++) {
        sums[k] = _mm256_srai_epi32(sums[k], 21);
    }
}

// Converts four vectors of sums to bytes.
AVX2_INLINE __m256i clamped_bytes(const __m256i *sums) {
    const __m256i bytes =
        _mm256_packus_epi16(_mm256_packs_epi32(sums[0], sums[1]), _mm256_packs_epi32(sums[2], sums[3]));
    return _mm256_permutevar8x32_epi32(bytes, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

AVX2_INLINE void vertical_row(uint8_t *dst, const int16_t *const *pairs, const int16_t *weights, size_t pair_count,
                              size_t count) {
    __m256i sums[8];
    size_t i = 0;
    for (; i + 64 <= count; i += 64) {
        sum_columns(sums, pairs, weights, pair_count, i, 8);
        _mm256_storeu_si256((__m256i *)(dst + i), clamped_bytes(sums));
        _mm256_storeu_si256((__m256i *)(dst + i + 32), clamped_bytes(sums + 4));
    }
    for (; i < count; i += 32) {
        uint8_t rest[VECTOR];
        sum_columns(sums, pairs, weights, pair_count, i, 4);
        _mm256_storeu_si256((__m256i *)rest, clamped_bytes(sums));
        memcpy(dst + i, rest, count - i < VECTOR ? count - i : VECTOR);
    }
}

// Computes each row on its own: sharing reads between rows saves nothing, because vpmaddwd takes less than two loads
// per cycle.
AVX2 static void vertical_avx2(uint8_t *dst, ptrdiff_t stride, const int16_t *const *ring,
                               const tpk_vertical_row *rows, size_t row_count, size_t count) {
    for (; row_count > 0; row_count--, rows++, dst += stride) {
        vertical_row(dst, ring + rows->slot, rows->weights, (size_t)rows->pair_count, count);
    }
}

// Transposes 16 by 16 samples in four steps, each of which interleaves row i with row i + 8.
AVX2_INLINE void transpose_block(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride) {
    __m128i rows[16], next[16];
    for (ptrdiff_t y = 0; y < 16; y++) {
        rows[y] = load_half(src + y * src_stride);
    }
    for (int step = 0; step < 4; step++) {
        for (size_t y = 0; y < 8; y++) {
            next[2 * y] = _mm_unpacklo_epi8(rows[y], rows[y + 8]);
            next[2 * y + 1] = _mm_unpackhi_epi8(rows[y], rows[y + 8]);
        }
        memcpy(rows, next, sizeof rows);
    }
    for (ptrdiff_t y = 0; y < 16; y++) {
        _mm_storeu_si128((__m128i *)(dst + y * dst_stride), rows[y]);
    }
}

AVX2 static void transpose_avx2(uint8_t *dst, ptrdiff_t dst_stride, const uint8_t *src, ptrdiff_t src_stride,
                                size_t width, size_t height) {
    const ptrdiff_t columns = (ptrdiff_t)width, rows = (ptrdiff_t)height;
    for (ptrdiff_t y = 0; y < rows; y += 16) {
        for (ptrdiff_t x = 0; x < columns; x += 16) {
            if (x + 16 <= columns && y + 16 <= rows) {
                transpose_block(dst + y * dst_stride + x, dst_stride, src + x * src_stride + y, src_stride);
                continue;
            }
            for (ptrdiff_t v = y; v < y + 16 && v < rows; v++) {
                for (ptrdiff_t u = x; u < x + 16 && u < columns; u++) {
                    dst[v * dst_stride + u] = src[u * src_stride + v];
                }
            }
        }
    }
}

BLEND_KERNELS(AVX2, avx2)
CONVERT_KERNELS(AVX2, avx2)

void tpk_fill_avx2(tpk_table *table) {
    table->level = TPK_AVX2;
    table->packed_size = tpk_packed_size_avx2;
    table->pack = tpk_pack_avx2;
    table->horizontal = tpk_horizontal_avx2;
    table->vertical = vertical_avx2;
    table->cube_luma = tpk_cube_luma_avx2;
    table->cube_chroma = tpk_cube_chroma_avx2;
    table->transpose = transpose_avx2;
    FILL_SIMPLE_KERNELS(table, avx2)
}
#endif
