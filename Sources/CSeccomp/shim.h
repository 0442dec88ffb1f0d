// libseccomp, with the macros that Swift cannot import.
#ifndef TESSERA_CSECCOMP_SHIM_H
#define TESSERA_CSECCOMP_SHIM_H

#include <errno.h>
#include <seccomp.h>

static const uint32_t CSC_ALLOW = SCMP_ACT_ALLOW;
static const uint32_t CSC_KILL = SCMP_ACT_KILL_PROCESS;
static const uint32_t CSC_REFUSE = SCMP_ACT_ERRNO(EPERM);

#endif
