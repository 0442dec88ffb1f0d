// Results of every three source samples at the AVX2 level, eight groups at a time.
#if defined(__x86_64__)
#include <immintrin.h>

#include "thirds.h"
#include "x86_avx2.h"

enum { GROUPS = 8, HALF = TPK_THIRDS * GROUPS / 2, READ = HALF + 16 };

// What is the same for all windows of a row.
typedef struct constants {
    __m256i bytes;
    __m256i weights[TPK_THIRDS_TAPS][2];
    __m256i half, multiplier;
    __m128i shift;
} constants;

AVX2_INLINE constants constants_of(const tpk_thirds *plan, const thirds_rows *rows, const size_t row_taps,
                                   const size_t phases) {
    const __m128i bytes = _mm_setr_epi8(0, 1, 2, 3, 3, 4, 5, 6, 6, 7, 8, 9, 9, 10, 11, 12);
    constants constants = {.bytes = _mm256_broadcastsi128_si256(bytes),
                           .half = _mm256_set1_epi32((int32_t)plan->half),
                           .multiplier = _mm256_set1_epi16((int16_t)plan->multiplier),
                           .shift = _mm_cvtsi32_si128(plan->shift - 16)};
#pragma clang loop unroll(full)
    for (size_t r = 0; r < row_taps; r++) {
#pragma clang loop unroll(full)
        for (size_t p = 0; p < phases; p++) {
            constants.weights[r][p] = _mm256_set1_epi32(step_products(plan->columns.weights[p], rows->weights[r]));
        }
    }
    return constants;
}

// Four groups read 13 samples: those of every four in 128 bits, the bytes of every group side by side.
AVX2_INLINE __m256i spread(const constants *constants, const uint8_t *samples) {
    const __m128i low = _mm_loadu_si128((const __m128i *)samples);
    const __m128i high = _mm_loadu_si128((const __m128i *)(samples + HALF));
    return _mm256_shuffle_epi8(_mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1), constants->bytes);
}

// The sums of eight groups' results, each in two words that add up to less than 2^16. Two products of bytes add up to
// at most 2 * 64 * 255 < 2^15. What lies `ahead` bytes on is fetched: the rows of the next result row.
AVX2_INLINE void add_up(__m256i sums[2], const thirds_rows *rows, ptrdiff_t sample, const size_t row_taps,
                        const size_t phases, ptrdiff_t ahead, const constants *constants) {
#pragma clang loop unroll(full)
    for (size_t r = 0; r < row_taps; r++) {
        const uint8_t *at = rows->samples[r] + sample;
        __builtin_prefetch((const void *)((uintptr_t)at + (uintptr_t)ahead), 0, 3);
        const __m256i bytes = spread(constants, at);
#pragma clang loop unroll(full)
        for (size_t p = 0; p < phases; p++) {
            sums[p] = _mm256_add_epi16(sums[p], _mm256_maddubs_epi16(bytes, constants->weights[r][p]));
        }
    }
}

AVX2_INLINE __m256i divided(__m256i sums, const constants *constants) {
    return _mm256_srl_epi16(_mm256_mulhi_epu16(sums, constants->multiplier), constants->shift);
}

AVX2_INLINE void store_groups(uint8_t *dst, const __m256i sums[2], const size_t phases, const constants *constants) {
    const __m256i first = _mm256_add_epi16(sums[0], _mm256_srli_epi32(sums[0], 16));
    const __m256i second = _mm256_add_epi16(sums[1], _mm256_slli_epi32(sums[1], 16));
    if (phases == 2) {
        const __m256i results = divided(_mm256_blend_epi16(first, second, 0xaa), constants);
        const __m128i high = _mm256_extracti128_si256(results, 1);
        _mm_storeu_si128((__m128i *)dst, _mm_packus_epi16(_mm256_castsi256_si128(results), high));
    } else {
        const __m256i results = divided(_mm256_blend_epi16(first, _mm256_setzero_si256(), 0xaa), constants);
        const __m128i low = _mm256_castsi256_si128(results), high = _mm256_extracti128_si256(results, 1);
        _mm_storel_epi64((__m128i *)dst, _mm_packus_epi16(_mm_packus_epi32(low, high), low));
    }
}

AVX2_INLINE void make_rows(THIRDS, const size_t row_taps, const size_t phases) {
    const thirds_groups groups = thirds_groups_of(plan, GROUPS, READ, first, last);
    const ptrdiff_t end = thirds_windows_end(&groups, GROUPS);
    const ptrdiff_t first_sample = plan->columns.first;
    for (size_t row = first_row; row < last_row; row++, dst += stride) {
        const thirds_rows rows = thirds_rows_of(plan, source, source_stride, row, row_taps);
        const constants constants = constants_of(plan, &rows, row_taps, phases);
        const ptrdiff_t ahead = row + 1 < last_row ? rows.ahead * source_stride : 0;
        for (ptrdiff_t next = groups.first; next < end; next += GROUPS) {
            const ptrdiff_t group = step_least(next, end - GROUPS);
            __m256i sums[2] = {constants.half, constants.half};
            add_up(sums, &rows, first_sample + TPK_THIRDS * group, row_taps, phases, ahead, &constants);
            store_groups(dst - first + (ptrdiff_t)phases * group, sums, phases, &constants);
        }
        thirds_rest(dst - first, plan, &rows, first, last, groups.first, end);
    }
}

THIRDS_KERNEL(AVX2, tpk_thirds_avx2)
#endif
