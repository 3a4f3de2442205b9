# The Action's step: runs the engine that ENGINE names, in JavaScript or Python, with the options in the environment.
set -euo pipefail
options=(--level "${LEVEL:-strict}")
for topic in ${TOPICS:-}; do options+=(--topic "$topic"); done
for tag in ${SKIP_TAGS:-}; do options+=(--skip-tag "$tag"); done
case "$ENGINE" in
*.py) exec "${PYTHON:-python3}" "$VECTORS/python" --engine "$ENGINE" "${options[@]}" ;;
*) exec node "$VECTORS/javascript/run.mjs" "$ENGINE" "${options[@]}" ;;
esac
