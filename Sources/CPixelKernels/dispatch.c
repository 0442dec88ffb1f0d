#include "levels.h"

bool tpk_level_available(tpk_level level) {
    switch (level) {
    case TPK_C:
        return true;
#if defined(__x86_64__)
#endif
    default:
        return false;
    }
}

void tpk_table_init(tpk_table *table, tpk_level level) {
    tpk_fill_reference(table);
    table->level = TPK_C;
#if defined(__x86_64__)
    if (level < TPK_AVX2) {
        return;
    }


#else
    (void)level;
#endif
}
