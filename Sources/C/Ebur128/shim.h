// libebur128's header, whose enumerations Swift reads as they are.
#ifndef TESSERA_CEBUR128_SHIM_H
#define TESSERA_CEBUR128_SHIM_H

#include <ebur128.h>

#endif
