// The horizontal pass of the AVX-512 level, with VBMI and VNNI: one window of 64 or 128 bytes a vector, 16 results a
// block; vpdpbusd sums four taps at a time.
#if defined(__x86_64__)
#include "packing.h"
#include "prefetch.h"
#include "x86_avx512.h"

enum { BLOCK = 16, MOST_UNITS = 16, MOST_ROWS = 8 };

static const tpk_vector vector_shape = {VECTOR, 1, VECTOR, 2 * VECTOR, false};

size_t tpk_packed_size_avx512(const tpk_horizontal *plan) {
    return tpk_packed_size(plan, vector_shape);
}

void tpk_pack_avx512(const tpk_horizontal *plan, void *packed) {
    tpk_pack(plan, vector_shape, packed);
}

// What goes through the pass, packed, and where its results go.
#define PASS const tpk_packed *packed, int16_t *const *pairs, const uint8_t *source, ptrdiff_t stride

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
AVX512_INLINE void sum_unit(__m512i *sums, window *windows, const bool moved, const uint8_t *start, ptrdiff_t stride,
                            const size_t row_count, const uint8_t *data, const size_t groups, const size_t stay,
                            const size_t width, const size_t reach, const int32_t centre) {
    if (moved) {
#pragma clang loop unroll(full)
        for (size_t r = 0; r < row_count; r++) {
            windows[r] = load_window(start + (ptrdiff_t)r * stride, reach);
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
                windows[r] = load_window(start + (ptrdiff_t)r * stride + group * width, reach);
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

AVX512_INLINE void horizontal_rows(PASS, const size_t row_count, const size_t units, const size_t groups,
                                   const size_t stay, const size_t reach, size_t first, size_t last) {
    const size_t unit_size = 2 * groups * VECTOR;
    const int32_t *place = tpk_place(packed, first / BLOCK);
    int16_t *results[MOST_ROWS / 2];
#pragma clang loop unroll(full)
    for (size_t r = 0; r < row_count; r += 2) {
        results[r / 2] = pairs[r / 2];
    }
    window windows[MOST_ROWS];
    int32_t loaded = -1;
    next_rows next = {source + (ptrdiff_t)row_count * stride, place[1]};
    for (size_t i = first & ~(size_t)(BLOCK - 1); i < last; i += BLOCK, place += 1 + units) {
        fetch_rows(&next, stride, row_count, place[1], reach);
        const uint8_t *data = tpk_vectors(place);
        __m512i sums[MOST_UNITS][MOST_ROWS];
        for (size_t unit = 0; unit < units; unit++, data += unit_size) {
            const int32_t start = place[1 + unit];
            const bool moved = units > 1 || stay < groups || start != loaded;
            loaded = start;
            sum_unit(sums[unit], windows, moved, source + start, stride, row_count, data, groups, stay, 4 * units,
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

AVX512_INLINE void horizontal_shape(PASS, size_t pair_count, const size_t groups, const size_t stay,
                                    const size_t reach, size_t first, size_t last) {
    size_t pair = 0;
    for (; pair + 4 <= pair_count; pair += 4, source += 8 * stride) {
        horizontal_rows(packed, pairs + pair, source, stride, 8, 1, groups, stay, reach, first, last);
    }
    for (; pair < pair_count; pair++, source += 2 * stride) {
        horizontal_rows(packed, pairs + pair, source, stride, 2, 1, groups, stay, reach, first, last);
    }
}

// The samples of a group of a strided block.
AVX512_INLINE __m512i moved_on(window bytes, const size_t group) {
    switch (group) {
    case 0: return bytes.low;
    case 1: return _mm512_alignr_epi32(bytes.high, bytes.low, 1);
    case 2: return _mm512_alignr_epi32(bytes.high, bytes.low, 2);
    case 3: return _mm512_alignr_epi32(bytes.high, bytes.low, 3);
    case 4: return _mm512_alignr_epi32(bytes.high, bytes.low, 4);
    default: return _mm512_alignr_epi32(bytes.high, bytes.low, 5);
    }
}

// Blocks that are strided, of at most six groups.
AVX512_INLINE void strided_rows(PASS, const size_t row_count, const size_t groups, size_t first, size_t last) {
    const int32_t *place = tpk_place(packed, first / BLOCK);
    int32_t start = place[1];
    const uint8_t *sources[MOST_ROWS];
    int16_t *results[MOST_ROWS / 2];
    window windows[MOST_ROWS];
#pragma clang loop unroll(full)
    for (size_t r = 0; r < row_count; r++) {
        sources[r] = source + (ptrdiff_t)r * stride;
        results[r / 2] = pairs[r / 2];
        windows[r].high = _mm512_loadu_si512(sources[r] + start);
    }
    next_rows next = {source + (ptrdiff_t)row_count * stride, start};
    for (size_t i = first; i < last; i += BLOCK, start += VECTOR, place += 2) {
        fetch_rows(&next, stride, row_count, start, VECTOR);
        const uint8_t *data = tpk_vectors(place);
        __m512i sums[MOST_ROWS];
#pragma clang loop unroll(full)
        for (size_t r = 0; r < row_count; r++) {
            windows[r] = (window){windows[r].high, _mm512_loadu_si512(sources[r] + start + VECTOR)};
            sums[r] = _mm512_set1_epi32(16384);
        }
#pragma clang loop unroll(full)
        for (size_t group = 0; group < groups; group++) {
            const __m512i weights = _mm512_load_si512(data + (2 * group + 1) * VECTOR);
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

// Any shape: for ratios beyond six or so.
AVX512_INLINE void horizontal_any(PASS, size_t pair_count, size_t first, size_t last) {
    for (size_t pair = 0; pair < pair_count; pair++, source += 2 * stride) {
        horizontal_rows(packed, pairs + pair, source, stride, 2, (size_t)packed->units, (size_t)packed->groups,
                        (size_t)packed->stay, 2 * VECTOR, first, last);
    }
}

// The compiler makes one loop for every shape that is common, without a branch in it.
#define SHAPE(groups, stay, reach) \
    horizontal_shape(packed, pairs, source, stride, pair_count, groups, stay, reach, first, last)

AVX512 static void horizontal_blocks(PASS, size_t pair_count, size_t first, size_t last) {
    const size_t groups = (size_t)packed->groups, half = (groups + 1) / 2;
    if (packed->units > 1 || (packed->stay < packed->groups && packed->reach > VECTOR)) {
        horizontal_any(packed, pairs, source, stride, pair_count, first, last);
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

// The filters' lengths at 4:1: of bilinear, bicubic and lanczos.
AVX512 static bool strided_blocks(PASS, size_t pair_count, size_t first, size_t last) {
    switch (packed->groups) {
    case 2: strided_shape(packed, pairs, source, stride, pair_count, 2, first, last); return true;
    case 4: strided_shape(packed, pairs, source, stride, pair_count, 4, first, last); return true;
    case 6: strided_shape(packed, pairs, source, stride, pair_count, 6, first, last); return true;
    default: return false;
    }
}

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

AVX512 void tpk_horizontal_avx512(const tpk_horizontal *plan, int16_t *const *pairs, const uint8_t *source,
                                  ptrdiff_t stride, size_t pair_count, size_t first, size_t last) {
    const tpk_packed *packed = plan->packed;
    const size_t strided = BLOCK * (size_t)packed->strided_begin, end = BLOCK * (size_t)packed->strided_end;
    const size_t from = first > strided ? first & ~(size_t)(BLOCK - 1) : strided, to = least(end, last);
    if (from < to && strided_blocks(packed, pairs, source, stride, pair_count, from, to)) {
        horizontal_blocks(packed, pairs, source, stride, pair_count, first, from);
        first = to;
    }
    horizontal_blocks(packed, pairs, source, stride, pair_count, first, last);
}
#endif
