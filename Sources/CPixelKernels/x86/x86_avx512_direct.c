// Both passes in one step at the level avx512.
#if defined(__x86_64__)
#define VBMI
#include "x86_avx512_direct.h"
#endif
