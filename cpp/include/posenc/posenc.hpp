// All of posenc.
#pragma once

#include "posenc/attention.hpp"
#include "posenc/cache.hpp"
#include "posenc/encodings.hpp"
#include "posenc/insight.hpp"
#include "posenc/version.hpp"
