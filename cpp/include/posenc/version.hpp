// Generated from package.json by web/tasks/generate.mjs; do not edit.
#pragma once

#define POSENC_VERSION_MAJOR 1
#define POSENC_VERSION_MINOR 0
#define POSENC_VERSION_PATCH 0
#define POSENC_VERSION "1.0.0"
