// Color conversion by a lookup table at the AVX2 level, eight samples at a time. Every pair of neighboring nodes is one
// gathered word.
#if defined(__x86_64__)
#include "cube.h"
#include "x86_avx2.h"

AVX2_INLINE __m256i load_words(const uint16_t *at) {
    const __m256i words = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)at));
    return _mm256_min_epi32(words, _mm256_set1_epi32(1023));
}

// Gathers both nodes of every index, weighted by the luma's position between them.
AVX2_INLINE __m256i pair(const int16_t *nodes, __m256i index, __m256i weights) {
    return _mm256_madd_epi16(_mm256_i32gather_epi32((const int *)nodes, index, 2), weights);
}

AVX2_INLINE __m256i between(__m256i one, __m256i other, __m256i part) {
    return _mm256_add_epi32(_mm256_mullo_epi32(one, _mm256_sub_epi32(_mm256_set1_epi32(16), part)),
                            _mm256_mullo_epi32(other, part));
}

AVX2 static void strip(uint8_t *dst, const int16_t *nodes, const uint16_t *luma, const uint16_t *blue,
                       const uint16_t *red, size_t count) {
    const __m256i low = _mm256_set1_epi32(15);
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        const __m256i y = load_words(luma + i), b = load_words(blue + i), r = load_words(red + i);
        const __m256i planes = _mm256_mullo_epi32(_mm256_srli_epi32(r, 4), _mm256_set1_epi32(CUBE_PLANE));
        const __m256i rows = _mm256_mullo_epi32(_mm256_srli_epi32(b, 4), _mm256_set1_epi32(CUBE_ROW));
        const __m256i index = _mm256_add_epi32(_mm256_add_epi32(planes, rows), _mm256_srli_epi32(y, 4));
        const __m256i part = _mm256_and_si256(y, low);
        const __m256i weights =
            _mm256_or_si256(_mm256_slli_epi32(part, 16), _mm256_sub_epi32(_mm256_set1_epi32(16), part));
        const __m256i b_part = _mm256_and_si256(b, low), r_part = _mm256_and_si256(r, low);
        const __m256i near = between(pair(nodes, index, weights), pair(nodes + CUBE_ROW, index, weights), b_part);
        const int16_t *next = nodes + CUBE_PLANE;
        const __m256i far = between(pair(next, index, weights), pair(next + CUBE_ROW, index, weights), b_part);
        const __m256i sum = _mm256_add_epi32(between(near, far, r_part), _mm256_set1_epi32(1 << 17));
        const __m256i result = _mm256_srli_epi32(sum, 18);
        const __m128i words = _mm_packus_epi32(_mm256_castsi256_si128(result), _mm256_extracti128_si256(result, 1));
        _mm_storel_epi64((__m128i *)(dst + i), _mm_packus_epi16(words, words));
    }
    for (; i < count; i++) {
        dst[i] = cube_at(nodes, ten_bits(luma[i]), ten_bits(blue[i]), ten_bits(red[i]));
    }
}

AVX2 void tpk_cube_luma_avx2(uint8_t *dst, const uint16_t *luma, const uint16_t *const near[2],
                             const uint16_t *const far[2], const int16_t *nodes, size_t chroma_count, size_t count) {
    cube_luma_body(dst, luma, near, far, nodes, chroma_count, count, strip);
}

AVX2 void tpk_cube_chroma_avx2(uint8_t *dst, const uint16_t *const luma[2], const uint16_t *blue,
                               const uint16_t *red, const int16_t *nodes, size_t count) {
    cube_chroma_body(dst, luma, blue, red, nodes, count, strip);
}
#endif
