// Headers of the system that Swift's own module of it leaves out.
#ifndef TESSERA_CSYSTEM_SHIM_H
#define TESSERA_CSYSTEM_SHIM_H

#include <malloc.h>

#endif
