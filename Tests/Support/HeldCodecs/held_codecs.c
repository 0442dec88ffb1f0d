// Loaded before libav* (LD_PRELOAD), holds it to the processor's features that TESSERA_HELD_CPU names, as in
// sse+sse2.
#include <libavutil/cpu.h>
#include <stdlib.h>

__attribute__((constructor)) static void hold(void) {
    const char *names = getenv("TESSERA_HELD_CPU");
    unsigned flags = 0;
    if (names && av_parse_cpu_caps(&flags, names) >= 0) av_force_cpu_flags((int)flags);
}
