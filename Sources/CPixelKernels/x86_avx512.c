// AVX-512 with VBMI and VNNI: one window of 64 bytes a vector, 16 results a block; vpdpbusd sums four taps at a time.
#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#include "levels.h"
#include "packing.h"
#include "simple.h"

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vnni,bmi2")))
#define AVX512_INLINE static inline __attribute__((always_inline)) AVX512

enum { BLOCK = 16, VECTOR = 64, MOST_UNITS = 16, MOST_ROWS = 4 };

static const tpk_vector vector_shape = {64, 1};

static size_t packed_size_avx512(const tpk_horizontal *plan) {
    return tpk_packed_size(plan, vector_shape);
}

static void pack_avx512(const tpk_horizontal *plan, void *packed) {
    tpk_pack(plan, vector_shape, packed);
}

// One unit of a block for some rows: 32-bit sums of every four taps.
AVX512_INLINE void sum_unit(__m512i *sums, const uint8_t *const *rows, const size_t row_count, size_t start,
                            const uint8_t *data, size_t groups, size_t width) {
    const __m512i indices = _mm512_load_si512(data);
    for (size_t r = 0; r < row_count; r++) {
        sums[r] = _mm512_setzero_si512();
    }
    for (size_t group = 0; group < groups; group++) {
        const __m512i weights = _mm512_load_si512(data + (group + 1) * VECTOR);
        for (size_t r = 0; r < row_count; r++) {
            const __m512i bytes = _mm512_loadu_si512(rows[r] + start + group * width);
            sums[r] = _mm512_dpbusd_epi32(sums[r], _mm512_permutexvar_epi8(indices, bytes), weights);
        }
    }
}

// The sums of neighbours, of `low` first.
AVX512_INLINE __m512i add_neighbours(__m512i low, __m512i high) {
    const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const __m512i odd = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    return _mm512_add_epi32(_mm512_permutex2var_epi32(low, even, high), _mm512_permutex2var_epi32(low, odd, high));
}

// Interleaves two rows of sums and centres them.
AVX512_INLINE __m512i interleaved(__m512i even, __m512i odd) {
    const __m512i both = _mm512_mask_blend_epi16(0xaaaaaaaa, even, _mm512_slli_epi32(odd, 16));
    return _mm512_add_epi16(both, _mm512_set1_epi16(16384));
}

AVX512_INLINE void horizontal_rows(const tpk_packed *packed, int16_t *const *pairs, const uint8_t *const *rows,
                                   const size_t row_count, const size_t units, size_t first, size_t last) {
    const size_t groups = (size_t)packed->groups, width = 4 * units;
    const size_t unit_size = (groups + 1) * VECTOR;
    const int32_t *starts = (const int32_t *)(packed + 1) + first / BLOCK * units;
    const uint8_t *data = (const uint8_t *)packed + packed->data + first / BLOCK * units * unit_size;
    for (size_t i = first & ~(size_t)(BLOCK - 1); i < last; i += BLOCK) {
        __m512i sums[MOST_UNITS][MOST_ROWS];
        for (size_t unit = 0; unit < units; unit++, starts++, data += unit_size) {
            sum_unit(sums[unit], rows, row_count, (size_t)*starts, data, groups, width);
        }
        for (size_t step = 1; step < units; step *= 2) {
            for (size_t unit = 0; unit < units; unit += 2 * step) {
                for (size_t r = 0; r < row_count; r++) {
                    sums[unit][r] = add_neighbours(sums[unit][r], sums[unit + step][r]);
                }
            }
        }
        for (size_t r = 0; r < row_count; r += 2) {
            _mm512_storeu_si512(pairs[r / 2] + 2 * i, interleaved(sums[0][r], sums[0][r + 1]));
        }
    }
}

AVX512_INLINE void horizontal_units(const tpk_packed *packed, int16_t *const *pairs, const uint8_t *const *rows,
                                    size_t pair_count, const size_t units, size_t first, size_t last) {
    size_t pair = 0;
    for (; pair + 2 <= pair_count; pair += 2) {
        horizontal_rows(packed, pairs + pair, rows + 2 * pair, 4, units, first, last);
    }
    if (pair < pair_count) {
        horizontal_rows(packed, pairs + pair, rows + 2 * pair, 2, units, first, last);
    }
}

AVX512 static void horizontal_avx512(const tpk_horizontal *plan, int16_t *const *pairs, const uint8_t *const *rows,
                                     size_t pair_count, size_t first, size_t last) {
    const tpk_packed *packed = plan->packed;
    switch (packed->units) {
    case 1:
        horizontal_units(packed, pairs, rows, pair_count, 1, first, last);
        break;
    case 2:
        horizontal_units(packed, pairs, rows, pair_count, 2, first, last);
        break;
    case 4:
        horizontal_units(packed, pairs, rows, pair_count, 4, first, last);
        break;
    default:
        horizontal_units(packed, pairs, rows, pair_count, (size_t)packed->units, first, last);
    }
}

// 64 results from `column` on.
AVX512_INLINE __m512i vertical_block(const int16_t *const *pairs, const int16_t *weights, size_t pair_count,
                                     size_t column) {
    const __m512i start = _mm512_set1_epi32((1 << 28) + (1 << 20));
    __m512i sums[4] = {start, start, start, start};
    for (size_t p = 0; p < pair_count; p++) {
        int32_t both;
        memcpy(&both, weights + 2 * p, sizeof both);
        const __m512i weight = _mm512_set1_epi32(both);
        for (size_t k = 0; k < 4; k++) {
            sums[k] = _mm512_dpwssd_epi32(sums[k], _mm512_loadu_si512(pairs[p] + 2 * column + 32 * k), weight);
        }
    }
    for (size_t k = 0; k < 4; k++) {
        sums[k] = _mm512_srai_epi32(sums[k], 21);
    }
    const __m512i bytes =
        _mm512_packus_epi16(_mm512_packs_epi32(sums[0], sums[1]), _mm512_packs_epi32(sums[2], sums[3]));
    return _mm512_permutexvar_epi32(_mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15), bytes);
}

AVX512 static void vertical_avx512(uint8_t *dst, const int16_t *const *pairs, const int16_t *weights,
                                   size_t pair_count, size_t count) {
    size_t i = 0;
    for (; i + VECTOR <= count; i += VECTOR) {
        _mm512_storeu_si512(dst + i, vertical_block(pairs, weights, pair_count, i));
    }
    if (i < count) {
        const __mmask64 rest = _bzhi_u64(~0ULL, (unsigned)(count - i));
        _mm512_mask_storeu_epi8(dst + i, rest, vertical_block(pairs, weights, pair_count, i));
    }
}

SIMPLE_KERNELS(AVX512, avx512)

// Transposing moves bytes: the AVX2 level's stays.
void tpk_fill_avx512(tpk_table *table) {
    table->level = TPK_AVX512;
    table->packed_size = packed_size_avx512;
    table->pack = pack_avx512;
    table->horizontal = horizontal_avx512;
    table->vertical = vertical_avx512;
    FILL_SIMPLE_KERNELS(table, avx512)
}
#endif
