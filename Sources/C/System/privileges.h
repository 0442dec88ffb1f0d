// Dropping of capabilities and of the environment.
#ifndef TESSERA_CSYSTEM_PRIVILEGES_H
#define TESSERA_CSYSTEM_PRIVILEGES_H

#include <linux/capability.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Returns the permitted capabilities of this thread as a bit mask; 0 if it has none or if they are unknown.
static inline uint64_t csys_capabilities(void) {
    struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2] = {{0}};
    if (syscall(SYS_capget, &head, data) < 0) return 0;
    return data[0].permitted | (uint64_t)data[1].permitted << 32;
}

/// Sets the effective capabilities to `used` and the permitted ones to `available`, and clears the inheritable ones.
/// Returns 0 or -1.
static inline int csys_set_capabilities(uint64_t used, uint64_t available) {
    struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
    const struct __user_cap_data_struct data[2] = {{(uint32_t)used, (uint32_t)available, 0},
        {(uint32_t)(used >> 32), (uint32_t)(available >> 32), 0}};
    return (int)syscall(SYS_capset, &head, data);
}

/// Drops the capabilities that an executed program could gain: the bounding set and the ambient set.
static inline void csys_bound_capabilities(void) {
    for (unsigned long i = 0; i < 64; i++) prctl(PR_CAPBSET_DROP, i, 0, 0, 0);
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
}

/// Returns 1 if the environment entry `NAME=value` has one of `count` names. A name that ends in an underscore matches
/// as a prefix.
static inline int csys_is_named(const char *variable, const char *const *names, long count) {
    for (long i = 0; i < count; i++) {
        const size_t length = strlen(names[i]);
        const char end = length ? names[i][length - 1] : 0;
        if (!strncmp(variable, names[i], length) && (end == '_' || variable[length] == '=')) return 1;
    }
    return 0;
}

/// Removes all variables except the named ones from the environment, and overwrites the removed ones with zeros.
static inline void csys_keep_environment(const char *const *names, long count) {
    char **next = __environ;
    for (char **variable = __environ; variable && *variable; variable++) {
        if (csys_is_named(*variable, names, count)) *next++ = *variable;
        else memset(*variable, 0, strlen(*variable));
    }
    if (next) *next = 0;
}

#endif
