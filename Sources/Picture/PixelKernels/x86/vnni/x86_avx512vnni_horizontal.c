// The horizontal pass of the avx512vnni level: one permutation of 32-bit lanes for every quad of a result. If results
// are too far apart for that, the AVX2 level's pass runs.
#if defined(__x86_64__)
#include "quad_packing.h"
#include "x86_avx2.h"
#include "x86_avx512_horizontal.h"

size_t tpk_packed_size_avx512vnni(const tpk_horizontal *plan) {
    const size_t size = tpk_quads_packed_size(plan);
    return size > 0 ? size : tpk_packed_size_avx2(plan);
}

void tpk_pack_avx512vnni(const tpk_horizontal *plan, void *packed) {
    if (!tpk_quads_pack(plan, packed)) {
        tpk_pack_avx2(plan, packed);
    }
}

// The samples of a block that permutations can reach, for every row: one or two vectors, or 16 samples repeated in
// every 128 bits.
typedef struct windows {
    __m512i low[MOST_ROWS], high[MOST_ROWS];
} windows;

AVX512_INLINE void load_windows(windows *windows, const uint8_t *samples, ptrdiff_t stride, const size_t row_count,
                                const size_t registers) {
#pragma clang loop unroll(full)
    for (size_t r = 0; r < row_count; r++) {
        const uint8_t *at = samples + (ptrdiff_t)r * stride;
        if (registers == 0) {
            windows->low[r] = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)at));
        } else {
            windows->low[r] = _mm512_loadu_si512(at);
        }
        windows->high[r] = registers > 1 ? _mm512_loadu_si512(at + VECTOR) : windows->low[r];
    }
}

// Returns the quads of a group.
AVX512_INLINE __m512i quads(__m512i low, __m512i high, __m512i indices, const size_t registers) {
    switch (registers) {
    case 0: return _mm512_shuffle_epi8(low, indices);
    case 1: return _mm512_permutexvar_epi32(indices, low);
    default: return _mm512_permutex2var_epi32(low, indices, high);
    }
}

AVX512_INLINE void quad_rows(PASS, const size_t row_count, const size_t groups, const size_t registers,
                             const bool moves, size_t first, size_t last) {
    const int32_t *place = tpk_place(packed, first);
    int16_t *results[MOST_ROWS / 2];
#pragma clang loop unroll(full)
    for (size_t r = 0; r < row_count; r += 2) {
        results[r / 2] = pairs[r / 2];
    }
    next_rows next = {source + (ptrdiff_t)row_count * stride, place[1], packed->is_short};
    for (size_t i = first * BLOCK; i < last * BLOCK; i += BLOCK, place += 2) {
        fetch_rows(&next, stride, row_count, place[1], registers > 1 ? 2 * VECTOR : VECTOR);
        const uint8_t *data = tpk_vectors(place);
        __m512i sums[MOST_ROWS];
        windows windows;
        load_windows(&windows, source + place[1], stride, row_count, registers);
#pragma clang loop unroll(full)
        for (size_t r = 0; r < row_count; r++) {
            sums[r] = _mm512_set1_epi32(16384);
        }
        for (size_t group = 0; group < groups; group++) {
            const __m512i indices = _mm512_load_si512(data + 2 * group * VECTOR);
            const __m512i weights = _mm512_load_si512(data + (2 * group + 1) * VECTOR);
            if (moves && group > 0) {
                const int32_t most = (packed->last_window - place[1]) / 4;
                const int32_t quads_on = (int32_t)group < most ? (int32_t)group : most;
                load_windows(&windows, source + place[1] + 4 * quads_on, stride, row_count, registers);
            }
#pragma clang loop unroll(full)
            for (size_t r = 0; r < row_count; r++) {
                const __m512i samples = quads(windows.low[r], windows.high[r], indices, registers);
                sums[r] = _mm512_dpbusd_epi32(sums[r], samples, weights);
            }
        }
#pragma clang loop unroll(full)
        for (size_t r = 0; r < row_count; r += 2) {
            _mm512_storeu_si512(results[r / 2] + 2 * i, interleaved(sums[r], sums[r + 1]));
        }
    }
}

AVX512_INLINE void quad_shape(PASS, size_t pair_count, const size_t groups, const size_t registers, const bool moves,
                              size_t first, size_t last) {
    size_t pair = 0;
    for (; pair + 4 <= pair_count; pair += 4, source += 8 * stride) {
        quad_rows(packed, pairs + pair, source, stride, 8, groups, registers, moves, first, last);
    }
    for (; pair < pair_count; pair++, source += 2 * stride) {
        quad_rows(packed, pairs + pair, source, stride, 2, groups, registers, moves, first, last);
    }
}

AVX512 static void quad_any(PASS, size_t pair_count, size_t first, size_t last) {
    const size_t groups = (size_t)packed->groups;
    if (packed->registers == 0) {
        quad_shape(packed, pairs, source, stride, pair_count, groups, 0, false, first, last);
    } else if (packed->registers == 1) {
        quad_shape(packed, pairs, source, stride, pair_count, groups, 1, false, first, last);
    } else if (packed->stay == packed->groups) {
        quad_shape(packed, pairs, source, stride, pair_count, groups, 2, false, first, last);
    } else {
        quad_shape(packed, pairs, source, stride, pair_count, groups, 2, true, first, last);
    }
}

// The compiler generates one loop for every common shape, without a branch in it.
#define KEY(groups, registers) (4 * (groups) + (registers))
#define QUADS(groups, registers) \
    case KEY(groups, registers): \
        quad_shape(packed, pairs, source, stride, pair_count, groups, registers, false, first, last); \
        break;

AVX512 static void quad_blocks(PASS, size_t pair_count, size_t first, size_t last) {
    const bool common = packed->groups < 8 && packed->stay == packed->groups;
    switch (common ? KEY(packed->groups, packed->registers) : 0) {
        QUADS(1, 0)
        QUADS(2, 0)
        QUADS(1, 1)
        QUADS(2, 1)
        QUADS(3, 1)
        QUADS(4, 1)
        QUADS(5, 1)
        QUADS(4, 2)
        QUADS(5, 2)
        QUADS(6, 2)
        QUADS(7, 2)
    default:
        quad_any(packed, pairs, source, stride, pair_count, first, last);
    }
}

AVX512 void tpk_horizontal_avx512vnni(const tpk_horizontal *plan, int16_t *const *pairs, const uint8_t *source,
                                      ptrdiff_t stride, size_t pair_count, size_t first, size_t last) {
    const tpk_packed *packed = plan->packed;
    if (packed->packing == TPK_WINDOWS) {
        tpk_horizontal_avx2(plan, pairs, source, stride, pair_count, first, last);
        return;
    }
    all_blocks(packed, pairs, source, stride, pair_count, first, last, (size_t)plan->count, BLOCK, quad_blocks);
}
#endif
