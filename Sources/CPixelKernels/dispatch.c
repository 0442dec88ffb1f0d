#include "levels.h"

bool tpk_level_available(tpk_level level) {
    switch (level) {
    case TPK_C:
        return true;
#if defined(__x86_64__)
    case TPK_AVX2:
        return __builtin_cpu_supports("avx2");
#endif
    default:
        return false;
    }
}

void tpk_table_init(tpk_table *table, tpk_level level) {
    tpk_fill_reference(table);
#if defined(__x86_64__)
    if (level >= TPK_AVX2) {
        tpk_fill_avx2(table);
    }
#else
    (void)level;
#endif
}
