// The vertical pass of the AVX-512 levels: vpdpwssd sums two taps at a time, for 64 results of two rows at a time. The
// two rows read the pairs that they share once, because a single row would be limited by loads.
#ifndef TESSERA_X86_AVX512_VERTICAL_H
#define TESSERA_X86_AVX512_VERTICAL_H

#include <string.h>

#include "x86_avx512.h"

enum { STRIP = 64, VECTORS = STRIP / 16 };

// The numbers of pairs that belong to the first row alone, to both, and to the second row alone.
typedef struct sharing {
    size_t first, both, second;
} sharing;

// The parameters of a strip. `restrict` is needed: it keeps the pointers in registers although bytes are stored.
// `second_dst` is null without a second row.
#define ROWS                                                                                                          \
    uint8_t *restrict first_dst, uint8_t *restrict second_dst, const int16_t *const *restrict pairs,                  \
        const int16_t *restrict first_weights, const int16_t *restrict second_weights

AVX512_INLINE __m512i both_weights(const int16_t *at) {
    int32_t both;
    memcpy(&both, at, sizeof both);
    return _mm512_set1_epi32(both);
}

// Assembler instead of the intrinsic, because compilers split chains of the intrinsic into a product and a sum each.
AVX512_INLINE __m512i add_products(__m512i sums, __m512i samples, __m512i weights) {
    __asm__("vpdpwssd %2, %1, %0" : "+v"(sums) : "v"(weights), "v"(samples));
    return sums;
}

AVX512_INLINE void add_pair(__m512i *sums, const int16_t *samples, const int16_t *weights, const size_t vectors) {
    const __m512i weight = both_weights(weights);
#pragma clang loop unroll(full)
    for (size_t k = 0; k < vectors; k++) {
        __asm__("vpdpwssd %2, %1, %0" : "+v"(sums[k]) : "v"(weight), "m"(*(const __m512i_u *)(samples + 32 * k)));
    }
}

AVX512_INLINE void add_shared_pair(__m512i *first, __m512i *second, const int16_t *samples,
                                   const int16_t *first_weights, const int16_t *second_weights, const size_t vectors) {
    const __m512i first_weight = both_weights(first_weights), second_weight = both_weights(second_weights);
#pragma clang loop unroll(full)
    for (size_t k = 0; k < vectors; k++) {
        const __m512i shared = _mm512_loadu_si512(samples + 32 * k);
        first[k] = add_products(first[k], shared, first_weight);
        second[k] = add_products(second[k], shared, second_weight);
    }
}

// Returns two vectors of sums as words, scaled: those of `even` in the lower halves, those of `odd` in the upper ones.
AVX512_INLINE __m512i words(__m512i even, __m512i odd) {
    return _mm512_mask_blend_epi16(0xaaaaaaaa, _mm512_srai_epi32(even, 21), _mm512_srai_epi32(odd, 21 - 16));
}

// Puts the bytes of all results in order after `words` and packing.
AVX512_INLINE __m512i in_order(__m512i bytes) {
#ifdef VBMI
#define FOUR(at) (at), (at) + 2, (at) + 4, (at) + 6
#define SIXTEEN(at) FOUR(at), FOUR((at) + 16), FOUR((at) + 32), FOUR((at) + 48)
    static const uint8_t places[STRIP] __attribute__((aligned(STRIP))) = {SIXTEEN(0), SIXTEEN(1), SIXTEEN(8),
                                                                          SIXTEEN(9)};
    return _mm512_permutexvar_epi8(_mm512_load_si512(places), bytes);
#else
    const __m128i in_fours = _mm_setr_epi8(0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13, 15);
    const __m512i fours = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    return _mm512_permutexvar_epi32(fours, _mm512_shuffle_epi8(bytes, _mm512_broadcast_i32x4(in_fours)));
#endif
}

AVX512_INLINE void store_results(uint8_t *dst, const __m512i *sums, size_t count) {
    const __m512i bytes = _mm512_packus_epi16(words(sums[0], sums[1]), words(sums[2], sums[3]));
    const __m512i results = in_order(bytes);
    if (count == STRIP) {
        _mm512_storeu_si512(dst, results);
    } else {
        _mm512_mask_storeu_epi8(dst, first_lanes(count), results);
    }
}

// Computes `count` results from `column` on, at most as many as `vectors` contain.
AVX512_INLINE void make_strip(ROWS, const sharing shared, size_t column, const size_t vectors, size_t count) {
    __m512i first[VECTORS], second[VECTORS];
#pragma clang loop unroll(full)
    for (size_t k = 0; k < VECTORS; k++) {
        first[k] = second[k] = _mm512_set1_epi32((1 << 28) + (1 << 20));
    }
    const size_t both = shared.first + shared.both, all = both + shared.second;
    for (size_t p = 0; p < shared.first; p++) {
        add_pair(first, pairs[p] + 2 * column, first_weights + 2 * p, vectors);
    }
    for (size_t p = shared.first; p < both; p++) {
        add_shared_pair(first, second, pairs[p] + 2 * column, first_weights + 2 * p,
                        second_weights + 2 * (p - shared.first), vectors);
    }
    for (size_t p = both; p < all; p++) {
        add_pair(second, pairs[p] + 2 * column, second_weights + 2 * (p - shared.first), vectors);
    }
    store_results(first_dst + column, first, count);
    if (second_dst != NULL) {
        store_results(second_dst + column, second, count);
    }
}

// Computes strips from the last column to the first: the horizontal pass has written the last ones last, so they are in
// the L1 cache.
AVX512_INLINE void make_strips(ROWS, const sharing shared, size_t count) {
    const size_t rest = count % STRIP;
    size_t column = count - rest;
    if (rest > 48) {
        make_strip(first_dst, second_dst, pairs, first_weights, second_weights, shared, column, 4, rest);
    } else if (rest > 32) {
        make_strip(first_dst, second_dst, pairs, first_weights, second_weights, shared, column, 3, rest);
    } else if (rest > 16) {
        make_strip(first_dst, second_dst, pairs, first_weights, second_weights, shared, column, 2, rest);
    } else if (rest > 0) {
        make_strip(first_dst, second_dst, pairs, first_weights, second_weights, shared, column, 1, rest);
    }
    while (column > 0) {
        column -= STRIP;
        make_strip(first_dst, second_dst, pairs, first_weights, second_weights, shared, column, VECTORS, STRIP);
    }
}

AVX512 static void make_row(uint8_t *dst, const int16_t *const *ring, const tpk_vertical_row *row, size_t count) {
    make_strips(dst, NULL, ring + row->slot, row->weights, NULL, (sharing){(size_t)row->pair_count, 0, 0}, count);
}

AVX512 static void make_any(ROWS, size_t first, size_t both, size_t second, size_t count) {
    make_strips(first_dst, second_dst, pairs, first_weights, second_weights, (sharing){first, both, second}, count);
}

// Common sharings have a function each, without a branch in its loop. Sharings of longer filters have one for every
// number of pairs that belong to one row alone.
#define COMMON_SHARINGS(each)                                                                                         \
    each(0, 1, 0) each(0, 1, 1) each(1, 0, 1) each(1, 1, 0) each(1, 1, 1) each(0, 2, 0) each(0, 2, 1) each(1, 2, 0)   \
        each(1, 2, 1) each(0, 3, 0) each(0, 3, 1) each(1, 3, 0) each(1, 3, 1) each(1, 3, 2) each(2, 3, 1)             \
        each(2, 3, 2) each(0, 4, 1) each(1, 4, 0) each(1, 4, 1) each(1, 4, 2) each(2, 4, 1) each(2, 4, 2)             \
        each(1, 5, 1) each(1, 5, 2) each(2, 5, 1) each(2, 5, 2)
#define LONG_SHARINGS(each)                                                                                           \
    each(1, 1) each(1, 2) each(2, 1) each(2, 2) each(2, 3) each(3, 2) each(3, 3) each(3, 4) each(4, 3) each(4, 4)

#define DEFINE_COMMON(first, both, second)                                                                            \
    AVX512 static void make_##first##both##second(ROWS, size_t count) {                                               \
        make_strips(first_dst, second_dst, pairs, first_weights, second_weights, (sharing){first, both, second},      \
                    count);                                                                                           \
    }
#define DEFINE_LONG(first, second)                                                                                    \
    AVX512 static void make_##first##any##second(ROWS, size_t both, size_t count) {                                   \
        make_strips(first_dst, second_dst, pairs, first_weights, second_weights, (sharing){first, both, second},      \
                    count);                                                                                           \
    }
COMMON_SHARINGS(DEFINE_COMMON)
LONG_SHARINGS(DEFINE_LONG)

// These are switches because their branches are predicted better than calls through a table.
#define KEY(first, both, second) (256 * (first) + 16 * (both) + (second))
#define ARGUMENTS dst, dst + stride, pairs, rows[0].weights, rows[1].weights
#define CALL_COMMON(first, both, second)                                                                              \
    case KEY(first, both, second): make_##first##both##second(ARGUMENTS, count); break;
#define CALL_LONG(first, second)                                                                                      \
    case KEY(first, 0, second): make_##first##any##second(ARGUMENTS, both, count); break;

AVX512 static void make_long(uint8_t *dst, ptrdiff_t stride, const int16_t *const *pairs, const tpk_vertical_row *rows,
                             size_t first, size_t both, size_t second, size_t count) {
    switch (second < 16 ? KEY(first, 0, second) : 0) {
        LONG_SHARINGS(CALL_LONG)
    default: make_any(ARGUMENTS, first, both, second, count);
    }
}

AVX512 static void make_two(uint8_t *dst, ptrdiff_t stride, const int16_t *const *ring, const tpk_vertical_row *rows,
                            size_t count) {
    const int32_t first = rows[1].slot - rows[0].slot, both = rows[0].pair_count - first;
    const int32_t second = rows[1].pair_count - both;
    if (first < 0 || both < 0 || second < 0) {
        make_row(dst, ring, rows, count);
        make_row(dst + stride, ring, rows + 1, count);
        return;
    }
    const int16_t *const *pairs = ring + rows[0].slot;
    switch (both < 16 && second < 16 ? KEY(first, both, second) : 0) {
        COMMON_SHARINGS(CALL_COMMON)
    default: make_long(dst, stride, pairs, rows, (size_t)first, (size_t)both, (size_t)second, count);
    }
}

AVX512 void OF_LEVEL(tpk_vertical)(uint8_t *dst, ptrdiff_t stride, const int16_t *const *ring,
                                   const tpk_vertical_row *rows, size_t row_count, size_t count) {
    for (; row_count > 1; row_count -= 2, rows += 2, dst += 2 * stride) {
        make_two(dst, stride, ring, rows, count);
    }
    if (row_count > 0) {
        make_row(dst, ring, rows, count);
    }
}
#endif
