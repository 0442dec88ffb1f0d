// The vertical pass of the level avx512vnni.
#if defined(__x86_64__)
#include "x86_avx512_vertical.h"
#endif
