// The vertical pass of the level avx512.
#if defined(__x86_64__)
#define VBMI
#include "x86_avx512_vertical.h"
#endif
