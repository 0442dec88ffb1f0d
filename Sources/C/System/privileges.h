// What a process can give up: capabilities and environment.
#ifndef TESSERA_CSYSTEM_PRIVILEGES_H
#define TESSERA_CSYSTEM_PRIVILEGES_H

#include <linux/capability.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/// The capabilities that this thread may use, a bit each; 0 where it has none, or they are unknown.
static inline uint64_t csys_capabilities(void) {
    struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2] = {{0}};
    if (syscall(SYS_capget, &head, data) < 0) return 0;
    return data[0].permitted | (uint64_t)data[1].permitted << 32;
}

/// Takes those capabilities into use and leaves `available` to be used again; none is passed on.
static inline int csys_set_capabilities(uint64_t used, uint64_t available) {
    struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
    const struct __user_cap_data_struct data[2] = {{(uint32_t)used, (uint32_t)available, 0},
        {(uint32_t)(used >> 32), (uint32_t)(available >> 32), 0}};
    return (int)syscall(SYS_capset, &head, data);
}

/// Gives up the capabilities that a program could get by being started.
static inline void csys_bound_capabilities(void) {
    for (unsigned long i = 0; i < 64; i++) prctl(PR_CAPBSET_DROP, i, 0, 0, 0);
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
}

/// Whether a variable of the environment, `NAME=value`, has one of `count` names; one that ends in an underscore
/// stands for all that begin with it.
static inline int csys_is_named(const char *variable, const char *const *names, long count) {
    for (long i = 0; i < count; i++) {
        const size_t length = strlen(names[i]);
        const char end = length ? names[i][length - 1] : 0;
        if (!strncmp(variable, names[i], length) && (end == '_' || variable[length] == '=')) return 1;
    }
    return 0;
}

/// Forgets all variables of the environment but those names, and overwrites what they were.
static inline void csys_keep_environment(const char *const *names, long count) {
    char **next = __environ;
    for (char **variable = __environ; variable && *variable; variable++) {
        if (csys_is_named(*variable, names, count)) *next++ = *variable;
        else memset(*variable, 0, strlen(*variable));
    }
    if (next) *next = 0;
}

#endif
