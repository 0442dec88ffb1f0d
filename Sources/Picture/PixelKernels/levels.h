// The functions that fill the table of a level: first the reference, then each level overwrites the kernels that it
// improves.
#ifndef TESSERA_LEVELS_H
#define TESSERA_LEVELS_H

#include "pixel_kernels.h"

void tpk_fill_reference(tpk_table *table);
void tpk_fill_avx2(tpk_table *table);
void tpk_fill_avx512vnni(tpk_table *table);
void tpk_fill_avx512(tpk_table *table);
void tpk_fill_neon(tpk_table *table);

#endif
