// AVX-512 with VBMI and VNNI: one window of 64 or 128 bytes a vector, 16 results a block; vpdpbusd sums four taps at a
// time.
#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#include "levels.h"
#include "packing.h"
#include "prefetch.h"
#include "simple.h"

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vnni,bmi2")))
#define AVX512_INLINE static inline __attribute__((always_inline)) AVX512

enum { BLOCK = 16, VECTOR = 64, MOST_UNITS = 16, MOST_ROWS = 8, WIDE = 8 };

static const tpk_vector vector_shape = {VECTOR, 1, VECTOR, 2 * VECTOR};

static size_t packed_size_avx512(const tpk_horizontal *plan) {
    return tpk_packed_size(plan, vector_shape);
}

static void pack_avx512(const tpk_horizontal *plan, void *packed) {
    tpk_pack(plan, vector_shape, packed);
}

// A window of one row: 64 samples, or 128 where `reach` says so.
typedef struct window {
    __m512i low, high;
} window;

AVX512_INLINE window load_window(const uint8_t *at, const size_t reach) {
    return (window){_mm512_loadu_si512(at), reach > VECTOR ? _mm512_loadu_si512(at + VECTOR) : _mm512_setzero_si512()};
}

AVX512_INLINE __m512i permuted(window bytes, __m512i indices, const size_t reach) {
    return reach > VECTOR ? _mm512_permutex2var_epi8(bytes.low, indices, bytes.high)
                          : _mm512_permutexvar_epi8(indices, bytes.low);
}

// One unit of a block for some rows: the centre and 32-bit sums of every four taps. `windows` holds the first windows,
// unless `moved`.
AVX512_INLINE void sum_unit(__m512i *sums, window *windows, const bool moved, const uint8_t *const *rows,
                            const size_t row_count, size_t start,
                            const uint8_t *data, const size_t groups, const size_t stay, const size_t width,
                            const size_t reach, const int32_t centre) {
    if (moved) {
#pragma clang loop unroll(full)
        for (size_t r = 0; r < row_count; r++) {
            windows[r] = load_window(rows[r] + start, reach);
        }
    }
#pragma clang loop unroll(full)
    for (size_t r = 0; r < row_count; r++) {
        sums[r] = _mm512_set1_epi32(centre);
    }
    for (size_t group = 0; group < groups; group++) {
        const __m512i indices = _mm512_load_si512(data + 2 * group * VECTOR);
        const __m512i weights = _mm512_load_si512(data + (2 * group + 1) * VECTOR);
#pragma clang loop unroll(full)
        for (size_t r = 0; r < row_count; r++) {
            if (group > 0 && group % stay == 0) {
                windows[r] = load_window(rows[r] + start + group * width, reach);
            }
            sums[r] = _mm512_dpbusd_epi32(sums[r], permuted(windows[r], indices, reach), weights);
        }
    }
}

// The sums of neighbours, of `low` first.
AVX512_INLINE __m512i add_neighbours(__m512i low, __m512i high) {
    const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const __m512i odd = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    return _mm512_add_epi32(_mm512_permutex2var_epi32(low, even, high), _mm512_permutex2var_epi32(low, odd, high));
}

// Interleaves the lower halves of two rows of sums.
AVX512_INLINE __m512i interleaved(__m512i even, __m512i odd) {
    return _mm512_mask_blend_epi16(0xaaaaaaaa, even, _mm512_slli_epi32(odd, 16));
}

AVX512_INLINE void horizontal_rows(const tpk_packed *packed, int16_t *const *pairs, const uint8_t *const *rows,
                                   const size_t row_count, const size_t units, const size_t groups,
                                   const size_t stay, const size_t reach, size_t first, size_t last) {
    const size_t unit_size = 2 * groups * VECTOR;
    const int32_t *starts = (const int32_t *)(packed + 1) + first / BLOCK * units;
    const uint8_t *data = (const uint8_t *)packed + packed->data + first / BLOCK * units * unit_size;
    const uint8_t *sources[MOST_ROWS];
    int16_t *results[MOST_ROWS / 2];
#pragma clang loop unroll(full)
    for (size_t r = 0; r < row_count; r++) {
        sources[r] = rows[r];
        results[r / 2] = pairs[r / 2];
    }
    window windows[MOST_ROWS];
    int32_t loaded = -1;
    next_rows next = expect_rows(rows, row_count, *starts);
    for (size_t i = first & ~(size_t)(BLOCK - 1); i < last; i += BLOCK) {
        fetch_rows(&next, sources, row_count, *starts, packed->reach);
        __m512i sums[MOST_UNITS][MOST_ROWS];
        for (size_t unit = 0; unit < units; unit++, starts++, data += unit_size) {
            const bool moved = units > 1 || stay < groups || *starts != loaded;
            loaded = *starts;
            sum_unit(sums[unit], windows, moved, sources, row_count, (size_t)*starts, data, groups, stay, 4 * units,
                     reach, 16384 / (int32_t)units);
        }
        for (size_t step = 1; step < units; step *= 2) {
            for (size_t unit = 0; unit < units; unit += 2 * step) {
                for (size_t r = 0; r < row_count; r++) {
                    sums[unit][r] = add_neighbours(sums[unit][r], sums[unit + step][r]);
                }
            }
        }
#pragma clang loop unroll(full)
        for (size_t r = 0; r < row_count; r += 2) {
            _mm512_storeu_si512(results[r / 2] + 2 * i, interleaved(sums[0][r], sums[0][r + 1]));
        }
    }
}

AVX512_INLINE void horizontal_shape(const tpk_packed *packed, int16_t *const *pairs, const uint8_t *const *rows,
                                    size_t pair_count, const size_t groups, const size_t stay, const size_t reach,
                                    size_t first, size_t last) {
    size_t pair = 0;
    for (; pair + 4 <= pair_count; pair += 4) {
        horizontal_rows(packed, pairs + pair, rows + 2 * pair, 8, 1, groups, stay, reach, first, last);
    }
    for (; pair < pair_count; pair++) {
        horizontal_rows(packed, pairs + pair, rows + 2 * pair, 2, 1, groups, stay, reach, first, last);
    }
}

// Any shape: for ratios beyond six or so.
AVX512_INLINE void horizontal_any(const tpk_packed *packed, int16_t *const *pairs, const uint8_t *const *rows,
                                  size_t pair_count, size_t first, size_t last) {
    for (size_t pair = 0; pair < pair_count; pair++) {
        horizontal_rows(packed, pairs + pair, rows + 2 * pair, 2, (size_t)packed->units, (size_t)packed->groups,
                        (size_t)packed->stay, 2 * VECTOR, first, last);
    }
}

// The compiler makes one loop for every shape that is common, without a branch in it.
#define SHAPE(groups, stay, reach) \
    horizontal_shape(packed, pairs, rows, pair_count, groups, stay, reach, first, last)

AVX512 static void horizontal_avx512(const tpk_horizontal *plan, int16_t *const *pairs, const uint8_t *const *rows,
                                     size_t pair_count, size_t first, size_t last) {
    const tpk_packed *packed = plan->packed;
    const size_t groups = (size_t)packed->groups, half = (groups + 1) / 2;
    if (packed->units > 1 || (packed->stay < packed->groups && packed->reach > VECTOR)) {
        horizontal_any(packed, pairs, rows, pair_count, first, last);
    } else if (packed->reach > VECTOR) {
        switch (groups) {
        case 4: SHAPE(4, 4, 2 * VECTOR); break;
        case 5: SHAPE(5, 5, 2 * VECTOR); break;
        default: SHAPE(groups, groups, 2 * VECTOR);
        }
    } else if (packed->stay < packed->groups) {
        switch (groups) {
        case 4: SHAPE(4, 2, VECTOR); break;
        default: SHAPE(groups, half, VECTOR);
        }
    } else {
        switch (groups) {
        case 1: SHAPE(1, 1, VECTOR); break;
        case 2: SHAPE(2, 2, VECTOR); break;
        case 3: SHAPE(3, 3, VECTOR); break;
        case 4: SHAPE(4, 4, VECTOR); break;
        default: SHAPE(groups, groups, VECTOR);
        }
    }
}

// The sums of `vectors` times 16 results from `column` on, scaled.
AVX512_INLINE void sum_columns(__m512i *sums, const int16_t *const *pairs, const int16_t *weights, size_t pair_count,
                               size_t column, const size_t vectors) {
#pragma clang loop unroll(full)
    for (size_t k = 0; k < vectors; k++) {
        sums[k] = _mm512_set1_epi32((1 << 28) + (1 << 20));
    }
    for (size_t p = 0; p < pair_count; p++) {
        int32_t both;
        memcpy(&both, weights + 2 * p, sizeof both);
        const __m512i weight = _mm512_set1_epi32(both);
        const int16_t *samples = pairs[p] + 2 * column;
#pragma clang loop unroll(full)
        for (size_t k = 0; k < vectors; k++) {
            sums[k] = _mm512_dpwssd_epi32(sums[k], _mm512_loadu_si512(samples + 32 * k), weight);
        }
    }
#pragma clang loop unroll(full)
    for (size_t k = 0; k < vectors; k++) {
        sums[k] = _mm512_srai_epi32(sums[k], 21);
    }
}

// Four vectors of sums as bytes.
AVX512_INLINE __m512i clamped_bytes(const __m512i *sums) {
    const __m512i bytes =
        _mm512_packus_epi16(_mm512_packs_epi32(sums[0], sums[1]), _mm512_packs_epi32(sums[2], sums[3]));
    return _mm512_permutexvar_epi32(_mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15), bytes);
}

AVX512 static void vertical_avx512(uint8_t *dst, const int16_t *const *pairs, const int16_t *weights,
                                   size_t pair_count, size_t count) {
    __m512i sums[WIDE];
    size_t i = 0;
    for (; i + 16 * WIDE <= count; i += 16 * WIDE) {
        sum_columns(sums, pairs, weights, pair_count, i, WIDE);
#pragma clang loop unroll(full)
        for (size_t k = 0; k < WIDE; k += 4) {
            _mm512_storeu_si512(dst + i + 16 * k, clamped_bytes(sums + k));
        }
    }
    for (; i + 64 <= count; i += 64) {
        sum_columns(sums, pairs, weights, pair_count, i, 4);
        _mm512_storeu_si512(dst + i, clamped_bytes(sums));
    }
    for (; i < count; i += 16) {
        sum_columns(sums, pairs, weights, pair_count, i, 1);
        const __m512i positive = _mm512_max_epi32(sums[0], _mm512_setzero_si512());
        const __mmask16 rest = (__mmask16)_bzhi_u32(0xffff, (unsigned)(count - i < 16 ? count - i : 16));
        _mm_mask_storeu_epi8(dst + i, rest, _mm512_cvtusepi32_epi8(positive));
    }
}

// The sums of neighbours in `side` rows, from sample `at` on.
AVX512_INLINE __m512i neighbour_sums(const uint8_t *const *rows, const size_t side, size_t at) {
    const __m512i ones = _mm512_set1_epi8(1);
    __m512i sums = _mm512_maddubs_epi16(_mm512_loadu_si512(rows[0] + at), ones);
#pragma clang loop unroll(full)
    for (size_t r = 1; r < side; r++) {
        sums = _mm512_add_epi16(sums, _mm512_maddubs_epi16(_mm512_loadu_si512(rows[r] + at), ones));
    }
    return sums;
}

AVX512_INLINE __m512i means_of_4(const uint8_t *const *rows, size_t at) {
    return _mm512_srli_epi16(_mm512_add_epi16(neighbour_sums(rows, 2, at), _mm512_set1_epi16(2)), 2);
}

AVX512_INLINE __m512i means_of_16(const uint8_t *const *rows, size_t at) {
    const __m512i sums = _mm512_madd_epi16(neighbour_sums(rows, 4, at), _mm512_set1_epi16(1));
    return _mm512_srli_epi32(_mm512_add_epi32(sums, _mm512_set1_epi32(8)), 4);
}

AVX512 static void average_avx512(uint8_t *dst, const uint8_t *const *rows, size_t side, size_t count) {
    size_t i = 0;
    if (side == 2) {
        const __m512i in_order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
        for (; i + VECTOR <= count; i += VECTOR) {
            const __m512i bytes = _mm512_packus_epi16(means_of_4(rows, 2 * i), means_of_4(rows, 2 * i + VECTOR));
            _mm512_storeu_si512(dst + i, _mm512_permutexvar_epi64(in_order, bytes));
        }
        average_body(dst, rows, 2, i, count);
        return;
    }
    for (; i + 16 <= count; i += 16) {
        _mm_storeu_si128((__m128i *)(dst + i), _mm512_cvtepi32_epi8(means_of_16(rows, 4 * i)));
    }
    average_body(dst, rows, 4, i, count);
}

// Half of 64 samples mixed as by `mixed`; `shifted` is `below` in the upper bytes.
AVX512_INLINE __m512i mixed_half(__m512i below, __m512i shifted, __m512i above, __m512i coverage) {
    const __mmask32 covered = _mm512_cmpeq_epi16_mask(coverage, _mm512_set1_epi16(255));
    const __m512i weight = _mm512_mask_add_epi16(coverage, covered, coverage, _mm512_set1_epi16(1));
    const __m512i difference = _mm512_mullo_epi16(_mm512_sub_epi16(above, below), weight);
    return _mm512_srli_epi16(_mm512_add_epi16(_mm512_add_epi16(shifted, _mm512_set1_epi16(128)), difference), 8);
}

AVX512_INLINE __m512i mixed_64(__m512i below, __m512i above, __m512i coverage) {
    const __m512i zero = _mm512_setzero_si512();
    const __m512i low =
        mixed_half(_mm512_unpacklo_epi8(below, zero), _mm512_unpacklo_epi8(zero, below),
                   _mm512_unpacklo_epi8(above, zero), _mm512_unpacklo_epi8(coverage, zero));
    const __m512i high =
        mixed_half(_mm512_unpackhi_epi8(below, zero), _mm512_unpackhi_epi8(zero, below),
                   _mm512_unpackhi_epi8(above, zero), _mm512_unpackhi_epi8(coverage, zero));
    return _mm512_packus_epi16(low, high);
}

AVX512_INLINE __mmask64 first_lanes(size_t count) {
    return count < VECTOR ? _bzhi_u64(~0ULL, (unsigned)count) : ~0ULL;
}

// Mixes `above` over the samples of `mask`; the others are neither read nor written.
AVX512_INLINE void blend_64(uint8_t *dst, __m512i above, const uint8_t *coverage, __mmask64 mask) {
    const __m512i below = _mm512_maskz_loadu_epi8(mask, dst);
    _mm512_mask_storeu_epi8(dst, mask, mixed_64(below, above, _mm512_maskz_loadu_epi8(mask, coverage)));
}

AVX512 static void blend_avx512(uint8_t *dst, const uint8_t *src, const uint8_t *coverage, size_t count) {
    for (size_t i = 0; i < count; i += VECTOR) {
        const __mmask64 mask = first_lanes(count - i);
        blend_64(dst + i, _mm512_maskz_loadu_epi8(mask, src + i), coverage + i, mask);
    }
}

AVX512 static void blend_value_avx512(uint8_t *dst, uint8_t value, const uint8_t *coverage, size_t count) {
    for (size_t i = 0; i < count; i += VECTOR) {
        blend_64(dst + i, _mm512_set1_epi8((char)value), coverage + i, first_lanes(count - i));
    }
}

CONVERT_KERNELS(AVX512, avx512)

// Transposing moves bytes: the AVX2 level's stays.
void tpk_fill_avx512(tpk_table *table) {
    table->level = TPK_AVX512;
    table->packed_size = packed_size_avx512;
    table->pack = pack_avx512;
    table->horizontal = horizontal_avx512;
    table->vertical = vertical_avx512;
    table->average = average_avx512;
    FILL_SIMPLE_KERNELS(table, avx512)
}
#endif
