// Limits libav* to the CPU features in TESSERA_HELD_CPU, such as sse+sse2. Loaded before libav* (LD_PRELOAD).
#include <libavutil/cpu.h>
#include <stdlib.h>

__attribute__((constructor)) static void hold(void) {
    const char *names = getenv("TESSERA_HELD_CPU");
    unsigned flags = 0;
    if (names && av_parse_cpu_caps(&flags, names) >= 0) av_force_cpu_flags((int)flags);
}
