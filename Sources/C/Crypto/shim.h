// libcrypto for hashes and HMAC.
#ifndef TESSERA_CCRYPTO_SHIM_H
#define TESSERA_CCRYPTO_SHIM_H

#include <openssl/evp.h>
#include <openssl/hmac.h>

#endif
