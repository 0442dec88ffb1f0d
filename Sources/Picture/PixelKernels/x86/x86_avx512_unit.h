// Code shared by the shapes of the avx512 level's horizontal pass: windows of 64 bytes, permuted by bytes.
#ifndef TESSERA_X86_AVX512_UNIT_H
#define TESSERA_X86_AVX512_UNIT_H

#include "x86_avx512_horizontal.h"

// Sums one unit of a block for some rows: the center and 32-bit sums of every four taps. Loads the first `windows` if
// `moved`; otherwise they are loaded already.
AVX512_INLINE void sum_unit(__m512i *sums, __m512i *windows, const bool moved, const tpk_packed *packed,
                            const uint8_t *source, const int32_t start, ptrdiff_t stride, const size_t row_count,
                            const uint8_t *data, const size_t groups, const size_t stay, const size_t width,
                            const int32_t center) {
    if (moved) {
#pragma clang loop unroll(full)
        for (size_t r = 0; r < row_count; r++) {
            windows[r] = _mm512_loadu_si512(source + (ptrdiff_t)r * stride + start);
        }
    }
#pragma clang loop unroll(full)
    for (size_t r = 0; r < row_count; r++) {
        sums[r] = _mm512_set1_epi32(center);
    }
    for (size_t group = 0; group < groups; group++) {
        const __m512i indices = _mm512_load_si512(data + 2 * group * VECTOR);
        const __m512i weights = _mm512_load_si512(data + (2 * group + 1) * VECTOR);
        const bool moves = group > 0 && group % stay == 0;
        const int32_t moved_start = start + (int32_t)(group * width);
        const int32_t window = moved_start < packed->last_window ? moved_start : packed->last_window;
#pragma clang loop unroll(full)
        for (size_t r = 0; r < row_count; r++) {
            if (moves) {
                windows[r] = _mm512_loadu_si512(source + (ptrdiff_t)r * stride + window);
            }
            sums[r] = _mm512_dpbusd_epi32(sums[r], _mm512_permutexvar_epi8(indices, windows[r]), weights);
        }
    }
}

// Processes blocks of more than one unit.
void tpk_folded_blocks_avx512(PASS, size_t pair_count, size_t first, size_t last);

#endif
