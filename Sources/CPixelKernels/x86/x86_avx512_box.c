// Means of blocks at the AVX-512 levels: vpdpbusd sums every four samples of a window twice, for both results that they
// may belong to; one permutation brings the sums of a result together.
#if defined(__x86_64__)
#include "box.h"
#include "x86_avx512.h"

// What is the same for all windows.
typedef struct constants {
    __m512i beginning, ending, picks[2], multiplier, half, shift;
} constants;

AVX512_INLINE constants constants_of(const tpk_box *plan) {
    return (constants){
        .beginning = _mm512_loadu_si512(plan->beginning),
        .ending = _mm512_loadu_si512(plan->ending),
        .picks = {_mm512_loadu_si512(plan->picks[0]), _mm512_loadu_si512(plan->picks[1])},
        .multiplier = _mm512_set1_epi16((int16_t)plan->multiplier),
        .half = _mm512_set1_epi32(1 << (plan->shift - 1)),
        .shift = _mm512_set1_epi32(plan->shift),
    };
}

// The results of a window that begins at `sample` of the rows, of which `present` exist.
AVX512_INLINE __m128i window(const uint8_t *const *rows, ptrdiff_t sample, __mmask64 present, const bool is_whole,
                             const size_t row_count, const size_t pick_pairs, const constants *constants,
                             __m512i beginning) {
    __m512i first = _mm512_setzero_si512(), second = first, results = constants->half;
#pragma clang loop unroll(full)
    for (size_t r = 0; r < row_count; r++) {
        const uint8_t *at = rows[r] + sample;
        const __m512i samples = is_whole ? _mm512_loadu_si512(at) : _mm512_maskz_loadu_epi8(present, at);
        first = _mm512_dpbusd_epi32(first, samples, beginning);
        second = _mm512_dpbusd_epi32(second, samples, constants->ending);
    }
#pragma clang loop unroll(full)
    for (size_t pair = 0; pair < pick_pairs; pair++) {
        const __m512i sums = _mm512_permutex2var_epi16(first, constants->picks[pair], second);
        results = _mm512_add_epi32(results, _mm512_madd_epi16(sums, constants->multiplier));
    }
    return _mm512_cvtepi32_epi8(_mm512_srlv_epi32(results, constants->shift));
}

// The results that windows make: up to `edge_end` some that lack samples, up to `whole_end` those that windows make of
// samples that all exist, and for which a vector of results may be stored.
typedef struct windows {
    size_t first, edge_end, whole_end, last;
} windows;

AVX512_INLINE ptrdiff_t first_sample(const tpk_box *plan, size_t result) {
    return plan->first + (ptrdiff_t)result * plan->ratio;
}

AVX512_INLINE windows windows_of(const tpk_box *plan, size_t first, size_t last) {
    enum { STORED = 16 };
    const size_t count = (size_t)plan->window_results, before = (size_t)plan->inside, end = (size_t)plan->inside_end;
    windows windows = {.first = first > before ? first : before < last ? before : last};
    windows.last = end < windows.first ? windows.first : end < last ? end : last;
    windows.edge_end = windows.first;
    if (windows.first < windows.last && first_sample(plan, windows.first) < 0) {
        windows.edge_end += count < windows.last - windows.first ? count : windows.last - windows.first;
    }
    windows.whole_end = windows.edge_end;
    while (windows.whole_end + STORED <= windows.last &&
           first_sample(plan, windows.whole_end) + VECTOR <= plan->source) {
        windows.whole_end += count;
    }
    return windows;
}

// Results first ..< last, or as many as a window makes, at an end of the source or of the results; `dst` is the place
// of result 0.
AVX512_INLINE void make_end(uint8_t *dst, const tpk_box *plan, const uint8_t *const *rows, const size_t row_count,
                            const size_t pick_pairs, const constants *constants, size_t first, size_t last) {
    const size_t count = (size_t)plan->window_results, made = last - first < count ? last - first : count;
    const ptrdiff_t sample = first_sample(plan, first);
    const __m512i beginning = sample < 0 ? _mm512_loadu_si512(plan->edge) : constants->beginning;
    const __mmask64 missing = sample < 0 ? first_lanes((size_t)-sample) : 0;
    const __mmask64 present = first_lanes((size_t)(plan->source - sample)) & ~missing;
    _mm_mask_storeu_epi8(dst + first, (__mmask16)first_lanes(made),
                         window(rows, sample, present, false, row_count, pick_pairs, constants, beginning));
}

AVX512_INLINE void make_rows(BOX, const size_t row_count, const size_t pick_pairs) {
    const constants constants = constants_of(plan);
    const windows windows = windows_of(plan, first, last);
    const size_t count = (size_t)plan->window_results;
    for (size_t row = first_row; row < last_row; row++, dst += stride) {
        const uint8_t *rows[TPK_BOX_MOST];
        uint8_t *results = dst - first;
        box_rows(rows, plan, source, source_stride, row);
        const ptrdiff_t ahead = row + 1 < last_row ? plan->row_ratio * source_stride : 0;
        tpk_box_results(dst, plan, rows, first, windows.first);
        if (windows.first < windows.edge_end) {
            make_end(results, plan, rows, row_count, pick_pairs, &constants, windows.first, windows.edge_end);
        }
        size_t i = windows.edge_end;
        ptrdiff_t sample = first_sample(plan, i);
        for (; i < windows.whole_end; i += count, sample = first_sample(plan, i)) {
            fetch_next(rows, row_count, ahead, sample + VECTOR);
            _mm_storeu_si128((__m128i *)(results + i), window(rows, sample, 0, true, row_count, pick_pairs, &constants,
                                                              constants.beginning));
        }
        for (; i < windows.last; i += count) {
            make_end(results, plan, rows, row_count, pick_pairs, &constants, i, windows.last);
        }
        tpk_box_results(results + windows.last, plan, rows, windows.last, last);
    }
}

#define SHAPES(each) each(1, 1) each(2, 1) each(3, 1) each(4, 1) each(5, 1) each(6, 1) each(7, 1) each(8, 1)          \
    each(1, 2) each(2, 2) each(3, 2) each(4, 2) each(5, 2) each(6, 2) each(7, 2) each(8, 2)
#define DEFINE(row_count, pick_pairs)                                                                                 \
    __attribute__((noinline)) AVX512 static void make_##row_count##pick_pairs(BOX) {                                  \
        make_rows(dst, stride, plan, source, source_stride, first_row, last_row, first, last, row_count, pick_pairs); \
    }
SHAPES(DEFINE)

#define CALL(row_count, pick_pairs)                                                                                   \
    case 10 * (row_count) + (pick_pairs):                                                                             \
        make_##row_count##pick_pairs(dst, stride, plan, source, source_stride, first_row, last_row, first, last);     \
        break;

AVX512 void tpk_box_avx512vnni(BOX) {
    switch (10 * plan->row_ratio + plan->pick_pairs) {
        SHAPES(CALL)
    }
}
#endif
