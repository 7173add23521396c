// Part of emmintrin.h here.
#pragma once
#include "emmintrin.h"
