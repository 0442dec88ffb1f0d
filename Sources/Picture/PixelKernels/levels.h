// How the levels fill the table: the reference first, then every level overwrites what it does better.
#ifndef TESSERA_LEVELS_H
#define TESSERA_LEVELS_H

#include "pixel_kernels.h"

void tpk_fill_reference(tpk_table *table);
void tpk_fill_avx2(tpk_table *table);
void tpk_fill_avx512vnni(tpk_table *table);
void tpk_fill_avx512(tpk_table *table);
void tpk_fill_neon(tpk_table *table);

#endif
