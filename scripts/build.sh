# How Concord is built; sourced by ./concord and ./test, which set `root` to the repository.
#
# Everything here is silent but for one line when something takes time, and speaks on stderr only: stdout belongs to the
# tool. Exit statuses are those of the command line: 69 something needed is missing, 70 a defect of concord itself.
#
# When is the binary current? build/release/built-from holds two things about the files it was built from: their names, sizes
# and times (compared first, a few milliseconds), and a hash of their contents (compared only if the former differ, so that a
# fresh checkout or a container layer with other times is not built again). `find -newer` alone would miss deleted files and
# files replaced by older ones; `ninja -n` is right too, but takes ten times as long.

say() { printf 'concord: %s\n' "$*" >&2; }
die() {
  local status=$1
  shift
  say "$@"
  exit "$status"
}

# ------------------------------------------------------------------------------------------------------------- packages

# The packages of the groups given, one a line.
packages_of() {
  local group
  for group in "$@"; do sed -n "s/^$group://p" "$root/scripts/packages"; done | tr -s ' ' '\n' | sed '/^$/d'
}

# npm may have come with nodejs.
missing_packages() {
  local installed
  installed=$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' 2>/dev/null | sed -n 's/ installed$//p')
  if command -v npm >/dev/null; then installed+=$'\nnpm'; fi
  packages_of "$@" | grep -vxF -f <(printf '%s\n' "$installed") || true
}

# Installs what is missing of the groups given. Never asks, never calls sudo.
need_packages() {
  command -v dpkg-query >/dev/null || return 0 # not Debian: the build says what it cannot find
  local missing log
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]})) || return 0
  if ((EUID != 0)); then
    say "packages are missing; as root, run"
    echo "apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 69
  fi
  say "installing ${missing[*]}"
  log=$(mktemp)
  if ! install_quietly "$log" "${missing[@]}"; then
    cat "$log" >&2
    rm -f "$log"
    die 69 "these packages could not be installed: ${missing[*]}"
  fi
  rm -f "$log"
}

# Installs what is missing of the groups given if that is possible; if it is not, things go on without.
want_packages() {
  command -v dpkg-query >/dev/null && ((EUID == 0)) || return 0
  local missing log
  mapfile -t missing < <(missing_packages "$@")
  ((${#missing[@]})) || return 0
  say "installing ${missing[*]}"
  log=$(mktemp)
  install_quietly "$log" "${missing[@]}" || say "these packages could not be installed: ${missing[*]}"
  rm -f "$log"
}

# The package lists may be absent (a container) or old: fetch them only if the first attempt fails.
install_quietly() {
  local log=$1
  shift
  local install=(env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@")
  "${install[@]}" >"$log" 2>&1 </dev/null && return
  apt-get update -q >"$log" 2>&1 </dev/null && "${install[@]}" >>"$log" 2>&1 </dev/null
}

# ---------------------------------------------------------------------------------------------------------------- state

binary=$root/build/release/concord
built_from=$root/build/release/built-from
inputs=("$root/CMakeLists.txt" "$root/src" "$root/specs" "$root/scripts/build.sh" "$root/scripts/packages" "$root/scripts/page"
  "$root/scripts/npm.sh")

# Editors' backup and lock files are no sources.
each_input() { find "${inputs[@]}" -type f ! -name '.*' ! -name '*~' "$@"; }
times_of_inputs() { each_input -printf '%p %s %T@\n'; }
hash_of_inputs() { each_input -print0 | sort -z | xargs -0 sha256sum | sha256sum | cut -d' ' -f1; }

is_current() {
  [[ -x $binary && -f $built_from ]] || return 1
  local hash times
  { read -r hash && IFS= read -r -d '' times; } <"$built_from" || true
  [[ $times == "$(times_of_inputs)"$'\n' ]] && return
  [[ $hash == "$(hash_of_inputs)" ]] || return 1
  if [[ -w ${built_from%/*} ]]; then record "$hash" "$(times_of_inputs)" || true; fi
}

record() {
  printf '%s\n%s\n' "$1" "$2" >"$built_from.$$" && mv -f "$built_from.$$" "$built_from"
}

# ninja goes by times: a source replaced by an older file must look new. Names and sizes are not enough to tell, so every
# input whose time is not the one recorded counts as changed.
touch_replaced_inputs() {
  [[ -f $built_from ]] || return 0
  local name
  comm -13 <(tail -n +2 "$built_from" | sort) <(times_of_inputs | sort) | sed 's/ [0-9]* [0-9.]*$//' |
    while IFS= read -r name; do [[ $name -nt $built_from ]] || touch -c "$name"; done
}

# ---------------------------------------------------------------------------------------------------------------- build

# One build at a time in this repository; the caller's shell holds the lock until it unlocks or exits.
lock_build() {
  mkdir -p "$root/build" 2>/dev/null && { exec {lock_fd}>"$root/build/lock"; } 2>/dev/null ||
    die 69 "cannot write to $root/build: build as the user who owns it"
  flock -n "$lock_fd" && return
  say "waiting for another build of this folder"
  flock "$lock_fd"
}
unlock_build() { exec {lock_fd}>&-; }

# configure FOLDER OPTION…: build/FOLDER, with g++ unless an option says otherwise.
configure() {
  local folder=$root/build/$1 launcher=
  shift
  # A folder made for another place (the repository was moved or copied) is of no use.
  if [[ -f $folder/CMakeCache.txt ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$folder/CMakeCache.txt"; then
    rm -rf "$folder"
  fi
  mkdir -p "$folder"
  if command -v ccache >/dev/null && [[ -w ${CCACHE_DIR:-${HOME:-/nonexistent}} ]]; then launcher=ccache; fi
  env -u CXX -u CXXFLAGS -u CPPFLAGS -u LDFLAGS cmake -S "$root" -B "$folder" -G Ninja \
    -DCMAKE_CXX_COMPILER=g++ -DCMAKE_CXX_COMPILER_LAUNCHER="$launcher" "$@" >"$folder/build.log" 2>&1
}

# compile FOLDER TARGET…
compile() {
  local folder=$root/build/$1
  shift
  ninja -C "$folder" "$@" >"$folder/build.log" 2>&1
}

build_failed() {
  local log=$root/build/$1/build.log
  # Of ninja's own lines only those about failures tell anything.
  grep -vE '^(\[[0-9]+/[0-9]+\]|ninja: (Entering directory|build stopped))' "$log" >&2 || true
  die 70 "the build failed; its whole output is in build/$1/build.log"
}

# build_release TARGET… : also writes down what it was built from. OPTIONS in the array `release_options`.
release_options=()
build_release() {
  local times hash
  touch_replaced_inputs
  times=$(times_of_inputs) # before the build: what is edited meanwhile counts as changed afterwards
  hash=$(hash_of_inputs)
  trap 'exit 130' INT
  { configure release -DCMAKE_BUILD_TYPE=Release "${release_options[@]}" && compile release "$@"; } ||
    build_failed release
  trap - INT
  record "$hash" "$times"
}
