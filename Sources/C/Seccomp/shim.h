// libseccomp, with constants for the macros that Swift cannot import.
#ifndef TESSERA_CSECCOMP_SHIM_H
#define TESSERA_CSECCOMP_SHIM_H

#include <errno.h>
#include <seccomp.h>

// The call is allowed.
static const uint32_t CSC_ALLOW = SCMP_ACT_ALLOW;
// The call is not made and raises SIGSYS, whose handler can record the offending thread.
static const uint32_t CSC_TRAP = SCMP_ACT_TRAP;
// The call fails with EPERM.
static const uint32_t CSC_REFUSE = SCMP_ACT_ERRNO(EPERM);
// The call fails with ENOSYS, as on a kernel that is too old for it.
static const uint32_t CSC_UNKNOWN = SCMP_ACT_ERRNO(ENOSYS);

#endif
