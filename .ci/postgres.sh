#!/bin/sh
# A scratch Postgres server with pgvector for the tests, on a free port of the loopback interface.
#   .ci/postgres.sh        installs what is missing, starts the server, prints its address (for FOOTNOTE_TEST_DATABASE_URL)
#   .ci/postgres.sh stop   stops it and removes its data
# Started twice, it prints the address of the one that runs. Installing needs root and Debian or Ubuntu.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
state="$root/dist/scratch-postgres" # holds the data directory's path and the address
note() { echo "postgres.sh: $*" >&2; }

newest_postgres() { ls -d /usr/lib/postgresql/*/bin/postgres 2>/dev/null | sort -t/ -k5 -n | tail -n 1 | cut -d/ -f5; }

# Root may not run Postgres; everybody else runs it as themselves.
as_postgres() { if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi; }

install_postgres() {
  [ -n "$(newest_postgres)" ] && return
  note "installing postgresql"
  apt-get update -qq >&2
  DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends postgresql >/dev/null
}

# Debian 12 has no package of pgvector: its source comes from Debian 13 through an apt configuration of its own, so that the
# machine's sources stay as they are.
install_pgvector() {
  version=$(newest_postgres)
  [ -e "$(/usr/lib/postgresql/"$version"/bin/pg_config --sharedir 2>/dev/null || echo /usr/share/postgresql/"$version")/extension/vector.control" ] && return
  [ -e "/usr/share/postgresql/$version/extension/vector.control" ] && return
  apt-get update -qq >&2
  if apt-get install -qq -y --no-install-recommends "postgresql-$version-pgvector" >/dev/null 2>&1; then return; fi
  note "building pgvector for Postgres $version"
  DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends gcc make libc6-dev dpkg-dev "postgresql-server-dev-$version" >/dev/null
  work=$(mktemp -d)
  mirror=$(apt-get indextargets --format '$(REPO_URI)' "Created-By: Packages" | grep '/debian/*$' | head -n 1)
  mkdir -p "$work/lists/partial" "$work/parts" "$work/cache/archives/partial"
  echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${mirror:-http://deb.debian.org/debian/} trixie main" >"$work/sources.list"
  (
    cd "$work"
    set -- -qq -o "Dir::Etc::SourceList=$work/sources.list" -o "Dir::Etc::SourceParts=$work/parts" -o "Dir::State::Lists=$work/lists" \
      -o "Dir::Cache=$work/cache" -o APT::Sandbox::User=root
    apt-get "$@" update >&2
    apt-get "$@" source --download-only postgresql-17-pgvector >&2
    mkdir source && tar -xf pgvector_*.orig.tar.* -C source --strip-components 1
    make -s -C source OPTFLAGS="" PG_CONFIG="/usr/lib/postgresql/$version/bin/pg_config" >&2
    make -s -C source install PG_CONFIG="/usr/lib/postgresql/$version/bin/pg_config" >&2
  )
  rm -rf "$work"
}

start() {
  if [ -s "$state" ] && as_postgres "$(sed -n 1p "$state")/bin/pg_ctl" -D "$(sed -n 2p "$state")" status >/dev/null 2>&1; then
    sed -n 3p "$state"
    return
  fi
  install_postgres
  install_pgvector
  install=/usr/lib/postgresql/$(newest_postgres)
  data=$(mktemp -d "${TMPDIR:-/tmp}/footnote-postgres-XXXXXX")
  password=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  echo "$password" >"$data/password"
  if [ "$(id -u)" = 0 ]; then chown -R postgres "$data"; fi
  as_postgres "$install/bin/initdb" -D "$data/data" -U postgres --auth=scram-sha-256 --pwfile="$data/password" -E UTF8 --locale=C.UTF-8 >/dev/null
  # A port may be taken between finding it and using it: try again with another.
  for _ in 1 2 3; do
    port=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
    # Nothing here outlives the tests, so it need not reach the disk.
    if as_postgres "$install/bin/pg_ctl" -D "$data/data" -l "$data/log" -w -o "-c listen_addresses=127.0.0.1 -c port=$port -c unix_socket_directories='' \
      -c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_connections=200" start >/dev/null; then
      mkdir -p "$root/dist"
      url="postgres://postgres:$password@127.0.0.1:$port/postgres"
      (umask 077 && printf '%s\n%s\n%s\n' "$install" "$data/data" "$url" >"$state")
      echo "$url"
      return
    fi
  done
  note "Postgres does not start:"
  cat "$data/log" >&2
  exit 1
}

stop() {
  [ -s "$state" ] || return 0
  as_postgres "$(sed -n 1p "$state")/bin/pg_ctl" -D "$(sed -n 2p "$state")" -m immediate -w stop >/dev/null || true
  rm -rf "$(dirname "$(sed -n 2p "$state")")" "$state"
}

case "${1:-start}" in
  start) start ;;
  stop) stop ;;
  *) note "usage: .ci/postgres.sh [start|stop]"; exit 2 ;;
esac
