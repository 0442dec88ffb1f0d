#include "levels.h"

bool tpk_level_available(tpk_level level) {
    switch (level) {
    case TPK_C:
        return true;
#if defined(__x86_64__)
    case TPK_AVX2:
        return __builtin_cpu_supports("avx2");
    case TPK_AVX512_VNNI:
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("bmi2");
    case TPK_AVX512:
        return tpk_level_available(TPK_AVX512_VNNI) && __builtin_cpu_supports("avx512vbmi");
#elif defined(__aarch64__)
    case TPK_NEON:
        return true;
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
    if (level == TPK_AVX512_VNNI) {
        tpk_fill_avx512vnni(table);
    }
    if (level == TPK_AVX512) {
        tpk_fill_avx512(table);
    }
#elif defined(__aarch64__)
    if (level == TPK_NEON) {
        tpk_fill_neon(table);
    }
#else
    (void)level;
#endif
}
