// Both passes in one step at the AVX-512 levels: vpdpbusd sums the four taps of a term, for 16 groups at a time. Where
// two results make a group, vpmaddubsw sums two taps of both: 16 bits are a result's own.
#ifndef TESSERA_X86_AVX512_DIRECT_H
#define TESSERA_X86_AVX512_DIRECT_H

#include <string.h>

#include "direct.h"
#include "x86_avx512.h"

// On a Cascade Lake two whole stores of 48 results take an eighth less of all the time than a masked one.
#ifdef VBMI
enum { MASKS_THREES = true };
#else
enum { MASKS_THREES = false };
#endif

enum { GROUPS = 16, MOST_PHASES = 3 };

#ifdef VBMI
// The second byte of every sum: of one vector's, of those of 16 bits, or of three vectors' in turn. The last of three
// takes its place among those of the first two.
#define SECOND(group) (4 * (group) + 1)
#define FOUR(each, group) each(group), each((group) + 1), each((group) + 2), each((group) + 3)
#define SIXTEEN(each) FOUR(each, 0), FOUR(each, 4), FOUR(each, 8), FOUR(each, 12)
#define OF_TWO(group) 4 * (group) + 1, 4 * (group) + 3
#define TWO_OF_THREE(group) SECOND(group), VECTOR + SECOND(group), 0
#define ALL_OF_THREE(group) 3 * (group), 3 * (group) + 1, VECTOR + SECOND(group)
static const uint8_t places[4][VECTOR] __attribute__((aligned(VECTOR))) = {
    {SIXTEEN(SECOND)}, {SIXTEEN(OF_TWO)}, {SIXTEEN(TWO_OF_THREE)}, {SIXTEEN(ALL_OF_THREE)}};

// The results of 16 groups, from sums in 1/256.
AVX512_INLINE __m512i joined(const __m512i *sums, const size_t phases) {
    const __m512i place = _mm512_load_si512(places[phases - 1]);
    switch (phases) {
    case 1: return _mm512_permutexvar_epi8(place, sums[0]);
    case 2: return _mm512_permutexvar_epi8(place, sums[0]);
    default:
        return _mm512_permutex2var_epi8(_mm512_permutex2var_epi8(sums[0], place, sums[1]),
                                        _mm512_load_si512(places[3]), sums[2]);
    }
}
#else
// The results of 16 groups, from sums in 1/256: those of a group side by side, then without what lies between groups.
AVX512_INLINE __m512i joined(const __m512i *sums, const size_t phases) {
    if (phases == 2) {
        return _mm512_castsi256_si512(_mm512_cvtepi16_epi8(_mm512_srli_epi16(sums[0], 8)));
    }
    const __m512i first = _mm512_srli_epi32(sums[0], 8);
    if (phases == 1) {
        return _mm512_castsi128_si512(_mm512_cvtepi32_epi8(first));
    }
    const __m512i odd = _mm512_mask_blend_epi8(0x2222222222222222, first, sums[1]);
    const __m512i three = _mm512_mask_blend_epi16(0xaaaaaaaa, odd, _mm512_slli_epi32(sums[2], 8));
    const __m128i twelve = _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
    const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 3, 3, 3, 3);
    return _mm512_permutexvar_epi32(lanes, _mm512_shuffle_epi8(three, _mm512_broadcast_i32x4(twelve)));
}
#endif

// Adds a term of `bytes` to the sums, which are of one phase each, or of both.
AVX512_INLINE void add_term(__m512i *sums, const size_t phases, const size_t term, __m512i bytes, __m512i weights) {
    if (phases == 2) {
        sums[0] = _mm512_add_epi16(sums[0], _mm512_maddubs_epi16(bytes, weights));
    } else {
        __m512i *sum = sums + (term < phases ? term : phases - 1);
        *sum = _mm512_dpbusd_epi32(*sum, bytes, weights);
    }
}

AVX512_INLINE void begin_sums(__m512i *sums, const size_t phases) {
    sums[0] = phases == 2 ? _mm512_set1_epi16(TPK_DIRECT_ONE / 2) : _mm512_set1_epi32(TPK_DIRECT_ONE / 2);
#pragma clang loop unroll(full)
    for (size_t phase = 1; phase < phases; phase++) {
        sums[phase] = sums[0];
    }
}

AVX512_INLINE void store_groups(uint8_t *dst, __m512i *sums, const size_t phases, size_t count) {
#pragma clang loop unroll(full)
    for (size_t phase = 0; phase < phases; phase++) {
        sums[phase] = _mm512_add_epi16(sums[phase], sums[phase]);
    }
    const __m512i results = joined(sums, phases);
    if (count < GROUPS || (phases == 3 && MASKS_THREES)) {
        _mm512_mask_storeu_epi8(dst, first_lanes(phases * (count < GROUPS ? count : GROUPS)), results);
    } else if (phases == 3) {
        _mm256_storeu_si256((__m256i *)dst, _mm512_castsi512_si256(results));
        _mm_storeu_si128((__m128i *)(dst + 32), _mm512_extracti32x4_epi32(results, 2));
    } else if (phases == 2) {
        _mm256_storeu_si256((__m256i *)dst, _mm512_castsi512_si256(results));
    } else {
        _mm_storeu_si128((__m128i *)dst, _mm512_castsi512_si128(results));
    }
}

// 16 groups of every row. At the ends of the rows samples may be missing, and the groups at the edges have weights of
// their own.
typedef struct window {
    ptrdiff_t group;                        // the first one
    size_t count;                           // how many of them are made
    __mmask64 present[TPK_DIRECT_TERMS];    // the samples of every term that the row has
    __m512i weights[TPK_DIRECT_TERMS];      // for every term, not yet multiplied by a row's
} window;

// The lane of group `index` in the window from `group` on, or none.
AVX512_INLINE __mmask16 lane_of(ptrdiff_t index, ptrdiff_t group) {
    const ptrdiff_t lane = index - group;
    return (__mmask16)(lane >= 0 && lane < GROUPS ? 1 << lane : 0);
}

// The lanes of samples index ..< index + 64 that a row of `count` has.
AVX512_INLINE __mmask64 present_samples(ptrdiff_t index, ptrdiff_t count) {
    if (index <= -VECTOR || index >= count) {
        return 0;
    }
    const __mmask64 after = index < 0 ? ~first_lanes((size_t)-index) : ~0ULL;
    return after & first_lanes((size_t)(count - index));
}

AVX512_INLINE window window_at(const tpk_direct *plan, const size_t terms, ptrdiff_t group, ptrdiff_t last) {
    const __mmask16 before = plan->has_before ? lane_of(plan->first - 1, group) : 0;
    const __mmask16 after = plan->has_after ? lane_of(plan->last, group) : 0;
    window window = {.group = group, .count = (size_t)step_least(last - group, GROUPS)};
#pragma clang loop unroll(full)
    for (size_t term = 0; term < terms; term++) {
        __m512i weights = _mm512_set1_epi32(step_products(plan->weights[term], 1));
        weights = _mm512_mask_set1_epi32(weights, before, step_products(plan->before[term], 1));
        window.weights[term] = _mm512_mask_set1_epi32(weights, after, step_products(plan->after[term], 1));
        window.present[term] = present_samples(4 * group + plan->offset[term], plan->columns->source);
    }
    return window;
}

// The weights of a term, times that of a row: no byte's product reaches into the next.
AVX512_INLINE __m512i products(__m512i weights, uint8_t row_weight) {
    return _mm512_mullo_epi16(weights, _mm512_set1_epi16(row_weight));
}

typedef __m512i row_products[TPK_DIRECT_ROWS][TPK_DIRECT_TERMS];

AVX512_INLINE void multiply(row_products made, const __m512i *weights, const uint8_t *row_weights,
                            const size_t row_taps, const size_t terms) {
#pragma clang loop unroll(full)
    for (size_t r = 0; r < row_taps; r++) {
#pragma clang loop unroll(full)
        for (size_t term = 0; term < terms; term++) {
            made[r][term] = products(weights[term], row_weights[r]);
        }
    }
}

// A window at an end of a row; `dst` is the place of group 0.
AVX512_INLINE void make_end(uint8_t *dst, const tpk_direct *plan, const uint8_t *const *rows, const size_t row_taps,
                            const size_t phases, const size_t terms, ptrdiff_t ahead, const window *window,
                            const row_products weights) {
    __m512i sums[MOST_PHASES];
    begin_sums(sums, phases);
    fetch_next(rows, row_taps, ahead, 4 * window->group + plan->greatest);
#pragma clang loop unroll(full)
    for (size_t r = 0; r < row_taps; r++) {
#pragma clang loop unroll(full)
        for (size_t term = 0; term < terms; term++) {
            const uint8_t *at = rows[r] + 4 * window->group + plan->offset[term];
            const __m512i bytes = _mm512_maskz_loadu_epi8(window->present[term], at);
            add_term(sums, phases, term, bytes, weights[r][term]);
        }
    }
    store_groups(dst + (ptrdiff_t)phases * window->group, sums, phases, window->count);
}

// The windows of groups first ..< last, which are alike; `dst` is the place of group 0.
AVX512_INLINE void make_windows(uint8_t *dst, const tpk_direct *plan, const uint8_t *const *rows, const size_t row_taps,
                                const size_t phases, const size_t terms, const bool is_shared, ptrdiff_t ahead,
                                const row_products weights, ptrdiff_t first, ptrdiff_t last) {
    const uint8_t *samples[TPK_DIRECT_ROWS][TPK_DIRECT_TERMS];
#pragma clang loop unroll(full)
    for (size_t r = 0; r < row_taps; r++) {
#pragma clang loop unroll(full)
        for (size_t term = 0; term < terms; term++) {
            samples[r][term] = rows[r] + plan->offset[term];
        }
    }
    const ptrdiff_t greatest = plan->greatest;
    for (ptrdiff_t group = first; group < last; group += GROUPS) {
        __m512i sums[MOST_PHASES];
        begin_sums(sums, phases);
        fetch_next(rows, row_taps, ahead, 4 * group + greatest);
#pragma clang loop unroll(full)
        for (size_t r = 0; r < row_taps; r++) {
#pragma clang loop unroll(full)
            for (size_t term = 0; term < terms; term++) {
                const __m512i bytes = _mm512_loadu_si512(samples[r][is_shared ? 0 : term] + 4 * group);
                add_term(sums, phases, term, bytes, weights[r][term]);
            }
        }
        store_groups(dst + (ptrdiff_t)phases * group, sums, phases, GROUPS);
    }
}

// How the groups of a row are made. At the left end at most one window is unlike the others; at the right end two are,
// or three where none are alike.
enum { MOST_ENDS = 3 };

typedef struct windows {
    tpk_groups groups;      // all of them
    window like;            // the first of the windows that are alike
    ptrdiff_t like_last;    // the group after them
    window ends[MOST_ENDS];
    size_t end_count;
} windows;

// The windows begin with the first group that follows the pattern, or the one before it: so what they store is aligned
// where the row is.
AVX512_INLINE windows windows_of(const tpk_direct *plan, const size_t phases, const size_t terms, size_t first,
                                 size_t last) {
    const tpk_groups all = direct_whole_groups((ptrdiff_t)phases, first, last);
    const tpk_groups groups = {step_greatest(all.first, plan->first - plan->has_before),
                               step_least(all.last, plan->last + plan->has_after)};
    const tpk_groups like = direct_windows(plan, GROUPS, plan->least, plan->greatest + VECTOR, groups);
    windows windows = {.groups = groups.first < groups.last ? groups : direct_none(plan)};
    ptrdiff_t group = windows.groups.first;
    while (group < groups.last && windows.end_count < MOST_ENDS) {
        const window window = window_at(plan, terms, group, groups.last);
        if (group >= like.first && group + GROUPS <= like.last) {
            windows.like = window;
            group = windows.like_last = group + (like.last - group) / GROUPS * GROUPS;
        } else {
            windows.ends[windows.end_count++] = window;
            group += GROUPS;
        }
    }
    windows.groups.last = step_least(windows.groups.last, group);
    return windows;
}

// Where `is_shared`, all terms begin at the same sample.
AVX512_INLINE void make_rows(SOURCE, const size_t row_taps, const size_t phases, const size_t terms,
                             const bool is_shared) {
    const windows windows = windows_of(plan, phases, terms, first, last);
    const uint8_t *multiplied = NULL;
    row_products weights, end_weights[MOST_ENDS];
    for (size_t row = first_row; row < last_row; row++, dst += stride) {
        const uint8_t *rows[TPK_DIRECT_ROWS], *row_weights = plan->rows[row].weights;
        direct_rows(rows, plan, source, source_stride, row, row_taps);
        const ptrdiff_t ahead = direct_ahead(plan, source_stride, row, last_row);
        if (multiplied == NULL || memcmp(multiplied, row_weights, TPK_DIRECT_ROWS) != 0) {
            multiply(weights, windows.like.weights, row_weights, row_taps, terms);
            for (size_t end = 0; end < windows.end_count; end++) {
                multiply(end_weights[end], windows.ends[end].weights, row_weights, row_taps, terms);
            }
        }
        multiplied = row_weights;
        for (size_t end = 0; end < windows.end_count; end++) {
            make_end(dst - first, plan, rows, row_taps, phases, terms, ahead, &windows.ends[end], end_weights[end]);
        }
        make_windows(dst - first, plan, rows, row_taps, phases, terms, is_shared, ahead, weights, windows.like.group,
                     windows.like_last);
        direct_rest(dst, plan, rows, row_weights, first, last, windows.groups, tpk_direct_results);
    }
}

// The compiler makes one loop for every shape, without a branch for it.
#define SHAPES(each)                                                                                                  \
    each(2, 1, 1, 1) each(2, 1, 2, 0) each(2, 2, 1, 1) each(2, 2, 2, 0) each(2, 3, 3, 0) each(2, 3, 3, 1)             \
        each(4, 1, 1, 1) each(4, 1, 2, 0) each(4, 2, 1, 1) each(4, 2, 2, 0) each(4, 3, 3, 0) each(4, 3, 3, 1)
#define DEFINE(row_taps, phases, terms, is_shared)                                                                    \
    __attribute__((noinline)) AVX512 static void make_##row_taps##phases##terms##is_shared(SOURCE) {                  \
        make_rows(dst, stride, plan, source, source_stride, first_row, last_row, first, last, row_taps, phases,       \
                  terms, is_shared);                                                                                  \
    }
SHAPES(DEFINE)

#define KEY(row_taps, phases, terms, is_shared) (1000 * (row_taps) + 100 * (phases) + 10 * (terms) + (is_shared))
#define CALL(row_taps, phases, terms, is_shared)                                                                      \
    case KEY(row_taps, phases, terms, is_shared):                                                                     \
        make_##row_taps##phases##terms##is_shared(dst, stride, plan, source, source_stride, first_row, last_row,      \
                                                  first, last);                                                       \
        break;

AVX512 void OF_LEVEL(tpk_direct)(SOURCE) {
    switch (KEY(plan->row_taps, plan->phases, plan->terms, plan->least == plan->greatest)) {
        SHAPES(CALL)
    }
}
#endif
