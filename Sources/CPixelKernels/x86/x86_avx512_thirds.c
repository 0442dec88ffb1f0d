// Results of every three source samples at the AVX-512 levels: the four samples of a group side by side, vpdpbusd sums
// them for each of its results.
#if defined(__x86_64__)
#include "thirds.h"
#include "x86_avx512.h"

enum { GROUPS = 16 };

// What is the same for all windows of a row.
typedef struct constants {
    __m512i quads, bytes;
    __m512i weights[TPK_THIRDS_TAPS][2];
    __m512i half, multiplier;
    __m128i shift;
} constants;

AVX512_INLINE constants constants_of(const tpk_thirds *plan, const thirds_rows *rows, const size_t row_taps,
                                     const size_t phases) {
    const __m128i bytes = _mm_setr_epi8(0, 1, 2, 3, 3, 4, 5, 6, 6, 7, 8, 9, 9, 10, 11, 12);
    constants constants = {.quads = _mm512_setr_epi32(0, 1, 2, 3, 3, 4, 5, 6, 6, 7, 8, 9, 9, 10, 11, 12),
                           .bytes = _mm512_broadcast_i32x4(bytes),
                           .half = _mm512_set1_epi32((int32_t)plan->half),
                           .multiplier = _mm512_set1_epi16((int16_t)plan->multiplier),
                           .shift = _mm_cvtsi32_si128(plan->shift - 16)};
#pragma clang loop unroll(full)
    for (size_t r = 0; r < row_taps; r++) {
#pragma clang loop unroll(full)
        for (size_t p = 0; p < phases; p++) {
            constants.weights[r][p] =
                _mm512_set1_epi32(step_products(plan->columns.weights[p], rows->weights[r]));
        }
    }
    // Permutations that it knows the compiler takes apart, into twice as many instructions.
    __asm__("" : "+v"(constants.quads), "+v"(constants.bytes));
    return constants;
}

// Four groups read 13 samples from every twelfth one on: whole quads are spread to 128 bits each, bytes within those.
AVX512_INLINE __m512i spread(const constants *constants, __m512i samples) {
    return _mm512_shuffle_epi8(_mm512_permutexvar_epi32(constants->quads, samples), constants->bytes);
}

// The results of 16 groups whose first one begins at `sample`; samples that are not `present` are not read.
AVX512_INLINE __m256i window(const thirds_rows *rows, ptrdiff_t sample, __mmask64 present, const bool is_whole,
                             const size_t row_taps, const size_t phases, const constants *constants) {
    __m512i sums[2] = {constants->half, constants->half};
#pragma clang loop unroll(full)
    for (size_t r = 0; r < row_taps; r++) {
        const uint8_t *at = rows->samples[r] + sample;
        const __m512i samples = is_whole ? _mm512_loadu_si512(at) : _mm512_maskz_loadu_epi8(present, at);
        const __m512i bytes = spread(constants, samples);
#pragma clang loop unroll(full)
        for (size_t p = 0; p < phases; p++) {
            sums[p] = _mm512_dpbusd_epi32(sums[p], bytes, constants->weights[r][p]);
        }
    }
    const __m512i both =
        phases == 2 ? _mm512_mask_blend_epi16(0xaaaaaaaa, sums[0], _mm512_slli_epi32(sums[1], 16)) : sums[0];
    const __m512i results = _mm512_srl_epi16(_mm512_mulhi_epu16(both, constants->multiplier), constants->shift);
    return phases == 2 ? _mm512_cvtepi16_epi8(results) : _mm256_castsi128_si256(_mm512_cvtepi32_epi8(results));
}

AVX512_INLINE void make_rows(THIRDS, const size_t row_taps, const size_t phases) {
    const thirds_groups groups = thirds_groups_of(plan, GROUPS, VECTOR, first, last);
    for (size_t row = first_row; row < last_row; row++, dst += stride) {
        const thirds_rows rows = thirds_rows_of(plan, source, source_stride, row, row_taps);
        const constants constants = constants_of(plan, &rows, row_taps, phases);
        const ptrdiff_t ahead = row + 1 < last_row ? rows.ahead * source_stride : 0;
        uint8_t *results = dst - first;
        const ptrdiff_t first_sample = plan->columns.first;
        ptrdiff_t group = groups.first;
        for (; group < groups.whole_end; group += GROUPS) {
            const ptrdiff_t sample = first_sample + TPK_THIRDS * group;
            fetch_next(rows.samples, row_taps, ahead, sample + VECTOR);
            const __m256i made = window(&rows, sample, 0, true, row_taps, phases, &constants);
            if (phases == 2) {
                _mm256_storeu_si256((__m256i *)(results + 2 * group), made);
            } else {
                _mm_storeu_si128((__m128i *)(results + group), _mm256_castsi256_si128(made));
            }
        }
        for (; group < groups.last; group += GROUPS) {
            const ptrdiff_t sample = plan->columns.first + TPK_THIRDS * group, left = groups.last - group;
            const __mmask64 present = first_lanes((size_t)(plan->columns.source - sample));
            const size_t count = phases * (size_t)(left < GROUPS ? left : GROUPS);
            _mm256_mask_storeu_epi8(results + (ptrdiff_t)phases * group, (__mmask32)first_lanes(count),
                                    window(&rows, sample, present, false, row_taps, phases, &constants));
        }
        thirds_rest(results, plan, &rows, first, last, groups.first, groups.last);
    }
}

THIRDS_KERNEL(AVX512, tpk_thirds_avx512vnni)
#endif
