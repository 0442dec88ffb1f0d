// Both passes in one step at the AVX2 level: vpmaddubsw sums two taps at a time.
#if defined(__x86_64__)
#include <string.h>

#include "direct.h"
#include "x86_avx2.h"

enum { VECTOR = 32, GROUPS = VECTOR / 4, PAIR_GROUPS = 2 * GROUPS, MOST_PHASES = 3 };

// What the rows of a window are made from: for every source row its samples and for every term the weights.
#define WINDOW                                                                                                        \
    uint8_t *dst, const tpk_direct *plan, const uint8_t *const *rows,                                                 \
        const __m256i weights[TPK_DIRECT_ROWS][TPK_DIRECT_TERMS]

AVX2_INLINE __m256i products(const uint8_t *at, __m256i weights) {
    return _mm256_maddubs_epi16(load(at), weights);
}

// The results of a group in its four bytes, those of all groups brought together.
AVX2_INLINE __m256i joined(const __m256i *sums, const size_t phases) {
    const __m256i low = _mm256_srli_epi32(sums[0], 7);
    if (phases == 1) {
        const __m256i first = _mm256_setr_epi8(0, 4, 8, 12, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
                                               0, 4, 8, 12, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
        const __m256i four = _mm256_shuffle_epi8(low, first);
        return _mm256_permutevar8x32_epi32(four, _mm256_setr_epi32(0, 4, 1, 1, 1, 1, 1, 1));
    }
    const __m256i middle = _mm256_slli_epi32(_mm256_srli_epi32(sums[1], 7), 8);
    const __m256i high = _mm256_slli_epi32(_mm256_srli_epi32(sums[2], 7), 16);
    const __m256i three = _mm256_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1,
                                           0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
    const __m256i twelve = _mm256_shuffle_epi8(_mm256_or_si256(_mm256_or_si256(low, middle), high), three);
    return _mm256_permutevar8x32_epi32(twelve, _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 3, 3));
}

// 8 groups of one or three results from sample `sample` on.
AVX2_INLINE void make_window(WINDOW, const size_t row_taps, const size_t phases, const size_t terms,
                             ptrdiff_t sample) {
    __m256i sums[MOST_PHASES];
#pragma clang loop unroll(full)
    for (size_t phase = 0; phase < phases; phase++) {
        sums[phase] = _mm256_setzero_si256();
    }
#pragma clang loop unroll(full)
    for (size_t r = 0; r < row_taps; r++) {
#pragma clang loop unroll(full)
        for (size_t term = 0; term < terms; term++) {
            __m256i *sum = sums + (term < phases ? term : phases - 1);
            *sum = _mm256_add_epi16(*sum, products(rows[r] + sample + plan->offset[term], weights[r][term]));
        }
    }
#pragma clang loop unroll(full)
    for (size_t phase = 0; phase < phases; phase++) {
        sums[phase] = _mm256_add_epi32(_mm256_madd_epi16(sums[phase], _mm256_set1_epi16(1)),
                                       _mm256_set1_epi32(TPK_DIRECT_ONE / 2));
    }
    const __m256i results = joined(sums, phases);
    if (phases == 1) {
        _mm_storeu_si64(dst, _mm256_castsi256_si128(results));
    } else {
        _mm_storeu_si128((__m128i *)dst, _mm256_castsi256_si128(results));
        _mm_storeu_si64(dst + 16, _mm256_extracti128_si256(results, 1));
    }
}

// 16 groups of two results, which are the same, two samples on: 16 bits are a result's own.
AVX2_INLINE void make_pairs(WINDOW, const size_t row_taps, const size_t terms, ptrdiff_t sample) {
    __m256i words[2];
#pragma clang loop unroll(full)
    for (size_t k = 0; k < 2; k++) {
        __m256i sums = _mm256_set1_epi16(TPK_DIRECT_ONE / 2);
#pragma clang loop unroll(full)
        for (size_t r = 0; r < row_taps; r++) {
#pragma clang loop unroll(full)
            for (size_t term = 0; term < terms; term++) {
                const uint8_t *at = rows[r] + sample + plan->offset[term] + VECTOR * k;
                sums = _mm256_add_epi16(sums, products(at, weights[r][term]));
            }
        }
        words[k] = _mm256_srli_epi16(sums, 7);
    }
    const __m256i bytes = _mm256_packus_epi16(words[0], words[1]);
    _mm256_storeu_si256((__m256i *)dst, _mm256_permute4x64_epi64(bytes, _MM_SHUFFLE(3, 1, 2, 0)));
}

// The weights of all terms, times those of the rows.
AVX2_INLINE void multiply_weights(__m256i weights[TPK_DIRECT_ROWS][TPK_DIRECT_TERMS], const tpk_direct *plan,
                                  const uint8_t *row_weights, const size_t row_taps, const size_t terms) {
#pragma clang loop unroll(full)
    for (size_t r = 0; r < row_taps; r++) {
#pragma clang loop unroll(full)
        for (size_t term = 0; term < terms; term++) {
            weights[r][term] = _mm256_set1_epi32(step_products(plan->weights[term], row_weights[r]));
        }
    }
}

// Groups in whole windows, of which the last two may overlap; `dst` is the place of group 0. Meanwhile the same samples
// `ahead` bytes on are fetched: those of the next result row.
AVX2_INLINE void make_windows(WINDOW, const size_t row_taps, const size_t phases, const size_t terms, ptrdiff_t ahead,
                              tpk_groups groups) {
    const ptrdiff_t count = phases == 2 ? PAIR_GROUPS : GROUPS;
    for (ptrdiff_t group = groups.first; group < groups.last; group += count) {
        const ptrdiff_t start = step_least(group, groups.last - count), sample = 4 * start;
#pragma clang loop unroll(full)
        for (size_t r = 0; r < row_taps; r++) {
            __builtin_prefetch((const void *)((uintptr_t)rows[r] + (uintptr_t)(ahead + sample)), 0, 3);
        }
        uint8_t *results = dst + (ptrdiff_t)phases * start;
        if (phases == 2) {
            make_pairs(results, plan, rows, weights, row_taps, terms, sample);
        } else {
            make_window(results, plan, rows, weights, row_taps, phases, terms, sample);
        }
    }
}

AVX2_INLINE tpk_groups groups_of(const tpk_direct *plan, const size_t phases, size_t first, size_t last) {
    const ptrdiff_t count = phases == 2 ? PAIR_GROUPS : GROUPS;
    const tpk_groups groups = direct_windows(plan, count, plan->least, plan->greatest + 4 * count,
                                             direct_whole_groups((ptrdiff_t)phases, first, last));
    return groups.last - groups.first < count ? direct_none(plan) : groups;
}

AVX2_INLINE __m128i load_four(const void *at) {
    return _mm_loadu_si32(at);
}

// Four samples from `sample` on, of four rows; those that there are not have no weight.
AVX2_INLINE __m128i samples_of_rows(const uint8_t *const *rows, const size_t row_taps, ptrdiff_t sample) {
    const __m128i first = _mm_unpacklo_epi32(load_four(rows[0] + sample), load_four(rows[1] + sample));
    if (row_taps == 2) {
        return first;
    }
    return _mm_unpacklo_epi64(
        first, _mm_unpacklo_epi32(load_four(rows[2] + sample), load_four(rows[3] + sample)));
}

// Any results of a row, one by one: four taps of all source rows at a time.
AVX2_INLINE void results_by_rows(DIRECT, const size_t row_taps, size_t first, size_t last) {
    const size_t taps = (size_t)plan->columns->taps;
    const __m128i four = _mm_cvtepu8_epi16(load_four(row_weights));
    const __m128i weights_of_rows = _mm_unpacklo_epi16(four, four);
    for (size_t i = first; i < last; i++) {
        const int8_t *weights = plan->columns->weights + i * taps;
        __m128i sums = _mm_setzero_si128();
        for (size_t j = 0; j < taps; j += 4) {
            const __m128i samples = samples_of_rows(rows, row_taps, plan->columns->left[i] + (ptrdiff_t)j);
            const __m128i pairs = _mm_maddubs_epi16(samples, _mm_broadcastd_epi32(load_four(weights + j)));
            sums = _mm_sub_epi32(sums, _mm_madd_epi16(pairs, weights_of_rows));
        }
        sums = _mm_add_epi32(sums, _mm_shuffle_epi32(sums, _MM_SHUFFLE(1, 0, 3, 2)));
        const int32_t sum = _mm_cvtsi128_si32(sums) + _mm_extract_epi32(sums, 1);
        dst[i - first] = (uint8_t)(((sum >> plan->shift) + TPK_DIRECT_ONE / 2) >> 7);
    }
}

AVX2 static void results_alone(DIRECT, size_t first, size_t last) {
    results_by_rows(dst, plan, rows, row_weights, plan->row_taps == 2 ? 2 : 4, first, last);
}

AVX2_INLINE void make_rows(SOURCE, const size_t row_taps, const size_t phases, const size_t terms) {
    const tpk_groups groups = groups_of(plan, phases, first, last);
    const uint8_t *multiplied = NULL;
    __m256i weights[TPK_DIRECT_ROWS][TPK_DIRECT_TERMS];
    for (size_t row = first_row; row < last_row; row++, dst += stride) {
        const uint8_t *rows[TPK_DIRECT_ROWS], *row_weights = plan->rows[row].weights;
        direct_rows(rows, plan, source, source_stride, row, row_taps);
        if (multiplied == NULL || memcmp(multiplied, row_weights, TPK_DIRECT_ROWS) != 0) {
            multiply_weights(weights, plan, row_weights, row_taps, terms);
        }
        multiplied = row_weights;
        make_windows(dst - first, plan, rows, weights, row_taps, phases, terms,
                     direct_ahead(plan, source_stride, row, last_row), groups);
        direct_rest(dst, plan, rows, row_weights, first, last, groups, results_alone);
    }
}

// The compiler makes one loop for every shape, without a branch for it.
#define SHAPES(each) each(2, 1, 1) each(2, 1, 2) each(2, 2, 1) each(2, 2, 2) each(2, 3, 3) each(4, 1, 1) each(4, 1, 2) \
    each(4, 2, 1) each(4, 2, 2) each(4, 3, 3)
#define DEFINE(row_taps, phases, terms)                                                                               \
    __attribute__((noinline)) AVX2 static void make_##row_taps##phases##terms(SOURCE) {                               \
        make_rows(dst, stride, plan, source, source_stride, first_row, last_row, first, last, row_taps, phases,       \
                  terms);                                                                                             \
    }
SHAPES(DEFINE)

#define KEY(row_taps, phases, terms) (100 * (row_taps) + 10 * (phases) + (terms))
#define CALL(row_taps, phases, terms)                                                                                 \
    case KEY(row_taps, phases, terms):                                                                                \
        make_##row_taps##phases##terms(dst, stride, plan, source, source_stride, first_row, last_row, first, last);   \
        break;

AVX2 void tpk_direct_avx2(SOURCE) {
    switch (KEY(plan->row_taps, plan->phases, plan->terms)) {
        SHAPES(CALL)
    }
}
#endif
