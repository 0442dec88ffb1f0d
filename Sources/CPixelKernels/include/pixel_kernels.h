typedef int tpk_placeholder;
