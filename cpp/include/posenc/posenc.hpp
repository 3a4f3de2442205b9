// All of posenc.
#pragma once

#include "posenc/attention.hpp"
#include "posenc/attention/cache.hpp"
#include "posenc/encodings.hpp"
#include "posenc/insight.hpp"
#include "posenc/version.hpp"
