#include "neuromc.h"
int main(void) { return neuromc_version()[0] ? 2 : 70; }
