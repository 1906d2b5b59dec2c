# Packages of npm, of a fixed version each; sourced by what needs them.

# get_packages FOLDER: puts those that its package-lock.json lists into ./node_modules, unless they are there.
get_packages() {
  cmp -s "$1/package-lock.json" installed && return
  cp "$1/package.json" "$1/package-lock.json" .
  timeout 300 npm ci --ignore-scripts --no-audit --no-fund --prefer-offline </dev/null && cp package-lock.json installed
}
