// libebur128, whose header Swift imports unchanged.
#ifndef TESSERA_CEBUR128_SHIM_H
#define TESSERA_CEBUR128_SHIM_H

#include <ebur128.h>

#endif
