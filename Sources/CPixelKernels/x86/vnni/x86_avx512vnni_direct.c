// Both passes in one step at the level avx512vnni.
#if defined(__x86_64__)
#include "x86_avx512_direct.h"
#endif
