// Code shared by the horizontal passes of the AVX-512 levels: 16 results per block; vpdpbusd sums four taps at a time.
// Strided blocks need no permutation at either level.
#ifndef TESSERA_X86_AVX512_HORIZONTAL_H
#define TESSERA_X86_AVX512_HORIZONTAL_H

#include "packing.h"
#include "prefetch.h"
#include "x86_avx512.h"

enum { BLOCK = 16, MOST_ROWS = 8 };

// The parameters of the horizontal pass: the packed plan, the destination and the source. The functions process blocks
// first ..< last.
#define PASS const tpk_packed *packed, int16_t *const *pairs, const uint8_t *source, ptrdiff_t stride

// Interleaves the lower halves of two rows of sums.
AVX512_INLINE __m512i interleaved(__m512i even, __m512i odd) {
    return _mm512_mask_blend_epi16(0xaaaaaaaa, even, _mm512_slli_epi32(odd, 16));
}

// Two consecutive vectors of samples.
typedef struct samples {
    __m512i low, high;
} samples;

// Returns the samples of a group of a strided block.
AVX512_INLINE __m512i moved_on(samples bytes, const size_t group) {
    switch (group) {
    case 0: return bytes.low;
    case 1: return _mm512_alignr_epi32(bytes.high, bytes.low, 1);
    case 2: return _mm512_alignr_epi32(bytes.high, bytes.low, 2);
    case 3: return _mm512_alignr_epi32(bytes.high, bytes.low, 3);
    case 4: return _mm512_alignr_epi32(bytes.high, bytes.low, 4);
    default: return _mm512_alignr_epi32(bytes.high, bytes.low, 5);
    }
}

// Processes strided blocks for some rows.
AVX512_INLINE void strided_rows(PASS, const size_t row_count, const size_t groups, size_t first, size_t last) {
    const int32_t *place = tpk_place(packed, first);
    int32_t start = place[1];
    const uint8_t *sources[MOST_ROWS];
    int16_t *results[MOST_ROWS / 2];
    samples windows[MOST_ROWS];
#pragma clang loop unroll(full)
    for (size_t r = 0; r < row_count; r++) {
        sources[r] = source + (ptrdiff_t)r * stride;
        results[r / 2] = pairs[r / 2];
        windows[r].high = _mm512_loadu_si512(sources[r] + start);
    }
    next_rows next = {source + (ptrdiff_t)row_count * stride, start, packed->is_short};
    for (size_t i = first * BLOCK; i < last * BLOCK; i += BLOCK, start += VECTOR, place += packed->place) {
        fetch_rows(&next, stride, row_count, start, VECTOR);
        const uint8_t *data = tpk_vectors(place);
        __m512i sums[MOST_ROWS];
#pragma clang loop unroll(full)
        for (size_t r = 0; r < row_count; r++) {
            windows[r] = (samples){windows[r].high, _mm512_loadu_si512(sources[r] + start + VECTOR)};
            sums[r] = _mm512_set1_epi32(16384);
        }
#pragma clang loop unroll(full)
        for (size_t group = 0; group < groups; group++) {
            const __m512i weights = _mm512_load_si512(data + group * VECTOR);
#pragma clang loop unroll(full)
            for (size_t r = 0; r < row_count; r++) {
                sums[r] = _mm512_dpbusd_epi32(sums[r], moved_on(windows[r], group), weights);
            }
        }
#pragma clang loop unroll(full)
        for (size_t r = 0; r < row_count; r += 2) {
            _mm512_storeu_si512(results[r / 2] + 2 * i, interleaved(sums[r], sums[r + 1]));
        }
    }
}

AVX512_INLINE void strided_shape(PASS, size_t pair_count, const size_t groups, size_t first, size_t last) {
    size_t pair = 0;
    for (; pair + 4 <= pair_count; pair += 4, source += 8 * stride) {
        strided_rows(packed, pairs + pair, source, stride, 8, groups, first, last);
    }
    for (; pair < pair_count; pair++, source += 2 * stride) {
        strided_rows(packed, pairs + pair, source, stride, 2, groups, first, last);
    }
}

#define STRIDED(groups) \
    case groups: strided_shape(packed, pairs, source, stride, pair_count, groups, first, last); break;

AVX512 static void strided_blocks(PASS, size_t pair_count, size_t first, size_t last) {
    switch (packed->strided_quads) {
        STRIDED(1)
        STRIDED(2)
        STRIDED(3)
        STRIDED(4)
        STRIDED(5)
        STRIDED(6)
    }
}
_Static_assert(MOST_STRIDED_QUADS == 6, "every number of quads has its case");

// Processes results first ..< last in blocks of `block`: strided ones here, all others by `other_blocks`.
AVX512_INLINE void all_blocks(PASS, size_t pair_count, size_t first, size_t last, size_t count, const size_t block,
                              void (*other_blocks)(PASS, size_t pair_count, size_t first, size_t last)) {
    // Divisions take longer than these comparisons, and most calls request all results.
    first = first == 0 ? 0 : first / block;
    last = last == count ? (size_t)packed->blocks : (last + block - 1) / block;
    const size_t begin = (size_t)packed->strided_begin, end = (size_t)packed->strided_end;
    const size_t from = first > begin ? first : begin, to = last < end ? last : end;
    if (from < to) {
        if (first < from) {
            other_blocks(packed, pairs, source, stride, pair_count, first, from);
        }
        strided_blocks(packed, pairs, source, stride, pair_count, from, to);
        first = to;
    }
    if (first < last) {
        other_blocks(packed, pairs, source, stride, pair_count, first, last);
    }
}

#endif
