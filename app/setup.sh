# What app/run and tests/run share: install what is missing, build. To be sourced.
# Everything said here goes to stderr, since stdout belongs to the program that is started.

set -euo pipefail
root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")

say() { printf 'lockstep: %s\n' "$*" >&2; }
fail() {
  say "$@"
  exit 3
}

# listed KIND...: the packages of these kinds, one a line.
listed() {
  local kinds=" $* " kind package
  while read -r kind package _; do
    if [[ $package && $kinds == *" $kind "* ]]; then echo "$package"; fi
  done <"$root/app/packages"
}

# installed: all listed packages that are installed, sorted.
installed() {
  dpkg-query -W -f '${db:Status-Status} ${Package}\n' $(listed build live tests) 2>/dev/null |
    sed -n 's/^installed //p' | sort -u || true
}

# missing KIND...: the packages of these kinds that are not.
missing() { comm -23 <(listed "$@" | sort -u) <(installed); }

# apt ARGUMENT...: apt-get as root, without questions; its output is shown as it comes on a
# terminal, else only when it fails.
apt() {
  local as_root=() log
  if ((EUID != 0)); then as_root=(sudo); fi
  local command=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y
    -o DPkg::Lock::Timeout=600 "$@")
  if [[ -t 2 ]]; then
    "${command[@]}" </dev/null >&2
  else
    log=$("${command[@]}" </dev/null 2>&1) || {
      printf '%s\n' "$log" >&2
      return 1
    }
  fi
}

# install KIND...: what is missing of these kinds. Only packages of kind `live` may stay missing.
install() {
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    command -v cmake >/dev/null && command -v ninja >/dev/null && return  # somebody took care
    fail "this is no Debian, so please install the counterparts of these packages yourself:" \
      $(listed "$@")
  fi
  local wanted lacking
  wanted=$(missing "$@")
  [[ $wanted ]] || return 0
  if ((EUID != 0)) && ! command -v sudo >/dev/null; then
    say "missing, and without sudo only root can install them:" $wanted
  else
    say "installing, once:" $wanted
    apt update || say "no fresh package lists; trying with those that are here"
    apt install --no-install-recommends $wanted || true
  fi
  lacking=$(missing "${@/live/}")
  [[ -z $lacking ]] || fail "cannot go on; as root: apt-get install" $lacking
  lacking=$(missing live)
  [[ -z $lacking ]] || say "going on without live runs, which need:" $lacking
}

# writable: whether there can be a build at all.
writable() { mkdir -p "$root/build" && : >>"$root/build/.lock"; } 2>/dev/null

# lock: one build at a time. Held until `unlock` or the end of the process.
lock() {
  writable || fail "cannot write to $root/build"
  exec 9>>"$root/build/.lock"
  flock -n 9 && return
  say "another build is running; waiting for it"
  flock 9
}
unlock() { exec 9>&-; }

# logged LOG COMMAND...: runs it, telling of its progress on a terminal. What it said is shown only
# when it fails, from the first failure on.
logged() {
  local log=$1 line terminal=
  shift
  if [[ -t 2 ]]; then terminal=1; fi
  if "$@" </dev/null 2>&1 | while IFS= read -r line; do
    printf '%s\n' "$line"
    if [[ $terminal && $line == \[[1-9]* ]]; then
      printf '\r\e[K%.*s' "$((${COLUMNS:-80} - 1))" "$line" >&2
    fi
  done >"$log"; then
    if [[ $terminal ]]; then printf '\r\e[K' >&2; fi
    return
  fi
  if [[ $terminal ]]; then printf '\r\e[K' >&2; fi
  { sed -n '/^FAILED/,$p' "$log" | grep . || cat "$log"; } >&2
  fail "the build failed; all of it is in $log"
}

# build PRESET FOLDER TARGET...: configures when needed, builds.
build() {
  local preset=$1 folder=$root/$2 facts
  shift 2
  # Afresh when packages came or went, since they decide which optional parts there are, and when the
  # tree was moved or copied. (A changed CMakeLists.txt is ninja's affair.)
  facts=$(echo "$root" && installed)
  if [[ ! -e $folder/build.ninja || $facts != "$(cat "$folder/configured_for" 2>/dev/null)" ]]; then
    mkdir -p "$folder"
    logged "$folder/configure.log" cmake -S "$root" --preset "$preset" --fresh
    printf '%s\n' "$facts" >"$folder/configured_for"
  fi
  # Paths below the root count as relative ones: what one clone has compiled serves the others.
  export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1
  logged "$folder/build.log" ninja -C "$folder" "$@"
}
