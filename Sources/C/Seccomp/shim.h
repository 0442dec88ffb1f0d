// libseccomp, with the macros that Swift cannot import.
#ifndef TESSERA_CSECCOMP_SHIM_H
#define TESSERA_CSECCOMP_SHIM_H

#include <errno.h>
#include <seccomp.h>

static const uint32_t CSC_ALLOW = SCMP_ACT_ALLOW;
// The call is not made; the signal can be caught, so that it is known whose fault it was.
static const uint32_t CSC_TRAP = SCMP_ACT_TRAP;
static const uint32_t CSC_REFUSE = SCMP_ACT_ERRNO(EPERM);
// The kernel is as if it were too old for it.
static const uint32_t CSC_UNKNOWN = SCMP_ACT_ERRNO(ENOSYS);

#endif
