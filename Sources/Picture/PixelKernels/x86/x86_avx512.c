// The level avx512: AVX-512 with VBMI.
#if defined(__x86_64__)
#define VBMI
#include "x86_avx512_simple.h"

void tpk_fill_avx512(tpk_table *table) {
    table->level = TPK_AVX512;
    FILL_AVX512(table, avx512)
}
#endif
