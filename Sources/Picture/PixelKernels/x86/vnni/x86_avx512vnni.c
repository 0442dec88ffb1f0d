// The level avx512vnni: AVX-512 without VBMI.
#if defined(__x86_64__)
#include "x86_avx512_simple.h"

void tpk_fill_avx512vnni(tpk_table *table) {
    table->level = TPK_AVX512_VNNI;
    FILL_AVX512(table, avx512vnni)
}
#endif
