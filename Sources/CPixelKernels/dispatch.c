#include "pixel_kernels.h"

bool tpk_level_available(tpk_level level) {
    return level == TPK_C;
}
