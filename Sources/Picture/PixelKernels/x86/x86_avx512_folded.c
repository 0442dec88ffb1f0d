// Blocks of more than one unit, for 16 results that are too far apart for windows of 64 bytes. Two units are folded;
// the results of more than two are then added as neighbors.
#if defined(__x86_64__)
#define VBMI
#include "x86_avx512_unit.h"

enum { MOST_UNITS = 16, AT_ONCE = 4 };

// Returns a mask that compilers do not turn into a shuffle, which would take the pipes of the permutations.
AVX512_INLINE __mmask8 upper_half(void) {
    __mmask8 mask = 0xf0;
    __asm__("" : "+k"(mask));
    return mask;
}

// Returns the sums of the halves of an even and an odd unit.
AVX512_INLINE __m512i folded(__m512i even, __m512i odd, __mmask8 upper) {
    return _mm512_add_epi32(_mm512_mask_blend_epi64(upper, even, odd), _mm512_alignr_epi64(odd, even, 4));
}

// Adds neighboring sums of two vectors; the results from `low` come first.
AVX512_INLINE __m512i add_neighbors(__m512i low, __m512i high) {
    const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const __m512i odd = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    return _mm512_add_epi32(_mm512_permutex2var_epi32(low, even, high), _mm512_permutex2var_epi32(low, odd, high));
}

// The last windows of both units, for every row.
typedef struct last_windows {
    __m512i even[AT_ONCE], odd[AT_ONCE];
} last_windows;

// Sums two units of a block for at most four rows, folded.
AVX512_INLINE last_windows sum_two(__m512i *sums, const tpk_packed *packed, const uint8_t *rows, const int32_t *starts,
                                   ptrdiff_t stride, const size_t row_count, const uint8_t *data, const size_t groups,
                                   const size_t stay, const size_t units, __mmask8 upper) {
    const int32_t center = 16384 / (int32_t)units;
    __m512i odd[AT_ONCE];
    last_windows last;
    sum_unit(sums, last.even, true, packed, rows, starts[0], stride, row_count, data, groups, stay, 4 * units, center);
    sum_unit(odd, last.odd, true, packed, rows, starts[1], stride, row_count, data + 2 * groups * VECTOR, groups, stay,
             4 * units, center);
#pragma clang loop unroll(full)
    for (size_t r = 0; r < row_count; r++) {
        sums[r] = folded(sums[r], odd[r], upper);
    }
    return last;
}

AVX512_INLINE void folded_rows(PASS, const size_t row_count, const size_t units, const size_t groups,
                               const size_t stay, const bool rest, size_t first, size_t last) {
    const int32_t *place = tpk_place(packed, first);
    next_rows next = {source + (ptrdiff_t)row_count * stride, place[1], packed->is_short};
    const __mmask8 upper = upper_half();
    for (size_t i = first * BLOCK; i < last * BLOCK; i += BLOCK, place += 1 + units) {
        fetch_rows(&next, stride, row_count, place[1], 2 * VECTOR);
        const uint8_t *data = tpk_vectors(place);
        __m512i sums[MOST_UNITS / 2][AT_ONCE];
        last_windows windows;
        for (size_t two = 0; two < units / 2; two++, data += 4 * groups * VECTOR) {
            windows = sum_two(sums[two], packed, source, place + 1 + 2 * two, stride, row_count, data, groups, stay,
                              units, upper);
        }
        for (size_t step = 1; step < units / 2; step *= 2) {
            for (size_t two = 0; two < units / 2; two += 2 * step) {
#pragma clang loop unroll(full)
                for (size_t r = 0; r < row_count; r++) {
                    sums[two][r] = add_neighbors(sums[two][r], sums[two + step][r]);
                }
            }
        }
#pragma clang loop unroll(full)
        for (size_t r = 0; rest && r < row_count; r++) {
            const __m512i indices = _mm512_load_si512(data), weights = _mm512_load_si512(data + VECTOR);
            const __m512i samples = _mm512_permutex2var_epi8(windows.even[r], indices, windows.odd[r]);
            sums[0][r] = _mm512_dpbusd_epi32(sums[0][r], samples, weights);
        }
#pragma clang loop unroll(full)
        for (size_t r = 0; r < row_count; r += 2) {
            _mm512_storeu_si512(pairs[r / 2] + 2 * i, interleaved(sums[0][r], sums[0][r + 1]));
        }
    }
}

AVX512_INLINE void folded_shape(PASS, size_t pair_count, const size_t units, const size_t groups, const size_t stay,
                                const bool rest, size_t first, size_t last) {
    size_t pair = 0;
    for (; pair + 2 <= pair_count; pair += 2, source += 4 * stride) {
        folded_rows(packed, pairs + pair, source, stride, 4, units, groups, stay, rest, first, last);
    }
    for (; pair < pair_count; pair++, source += 2 * stride) {
        folded_rows(packed, pairs + pair, source, stride, 2, units, groups, stay, rest, first, last);
    }
}

// The compiler generates one loop for every common shape, without a branch in it: two units for ratios from about 4 to
// 8, four for ratios up to 16.
#define KEY(units, groups, stay, rest) (128 * (units) + 16 * (groups) + 2 * (stay) + (rest))
#define TWO(groups, stay, rest) \
    case KEY(2, groups, stay, rest): \
        folded_shape(packed, pairs, source, stride, pair_count, 2, groups, stay, rest, first, last); \
        break;
#define FOUR(groups, stay) \
    case KEY(4, groups, stay, 0): \
        folded_shape(packed, pairs, source, stride, pair_count, 4, groups, stay, false, first, last); \
        break;

AVX512 void tpk_folded_blocks_avx512(PASS, size_t pair_count, size_t first, size_t last) {
    const bool common = packed->units <= 4 && packed->groups < 8;
    switch (common ? KEY(packed->units, packed->groups, packed->stay, packed->rest) : 0) {
        TWO(1, 1, 0)
        TWO(1, 1, 1)
        TWO(2, 2, 0)
        TWO(2, 2, 1)
        TWO(3, 3, 0)
        TWO(3, 3, 1)
        TWO(3, 2, 0)
        TWO(3, 1, 0)
        TWO(4, 4, 0)
        TWO(4, 2, 0)
        TWO(4, 1, 0)
        FOUR(1, 1)
        FOUR(2, 1)
        FOUR(3, 1)
        FOUR(4, 1)
    default:
        folded_shape(packed, pairs, source, stride, pair_count, (size_t)packed->units, (size_t)packed->groups,
                     (size_t)packed->stay, false, first, last);
    }
}
#endif
