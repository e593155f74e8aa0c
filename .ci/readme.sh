#!/usr/bin/env bash
# Does what the README says: starts the program, waits until it answers, asks one question, stops it.
set -euo pipefail
cd "$(dirname "$0")/.."

home=$(mktemp -d)
export FOOTNOTE_HOME=$home FOOTNOTE_PORT=0 FOOTNOTE_PLAYGROUND_PORT=0
begun=$(date +%s%N)
npm start >"$home/out" 2>"$home/log" &
pid=$!
stop() {
  kill "$pid" 2>/dev/null || true
  wait "$pid" 2>/dev/null || true
  rm -rf "$home"
}
trap stop EXIT

for _ in $(seq 1 600); do
  grep -q 'Open http' "$home/out" && break
  kill -0 "$pid" 2>/dev/null || { cat "$home/out" "$home/log"; echo "the program ended by itself"; exit 1; }
  sleep 0.1
done
grep 'Open http' "$home/out" || { cat "$home/out" "$home/log"; echo "not ready within 60 s"; exit 1; }
echo "ready after $((($(date +%s%N) - begun) / 1000000)) ms"

ask() { npm run -s footnote -- ask "$1" --workspace "$2" --channel general --as alice --json; }
acme=$(ask 'What is our parental leave?' acme)
globex=$(ask 'What is our parental leave?' globex)
printf '%s\n%s\n' "$acme" "$globex"
ACME=$acme GLOBEX=$globex node -e '
  const assert = require("node:assert/strict");
  const [acme, globex] = [JSON.parse(process.env.ACME), JSON.parse(process.env.GLOBEX)];
  for (const report of [acme, globex]) {
    assert.equal(report.status, "answered");
    assert.ok(report.tools.length > 0 && report.tools.every((tool) => tool.status === "success"));
    assert.ok(report.citations.every(({ n, title, quote }) => n > 0 && title && quote));
    assert.ok(report.citations.some(({ page }) => page > 0));
    assert.match(report.traceId, /^[0-9a-f-]{36}$/);
  }
  assert.match(acme.answer, /18/);
  assert.match(globex.answer, /12/);
  assert.doesNotMatch(globex.answer, /18 weeks/);
  fetch(acme.citations[0].url).then(async (response) => {
    assert.equal(response.status, 200);
    assert.match(await response.text(), /parental leave/i);
    console.log("both workspaces answered, and the source opens");
  });
'

# The signal goes to npm, as from a supervisor; what must be gone is the program behind it, not only npm.
program=$(pgrep -P "$pid" || true)
address=$(sed -n 's#.*Open \(http://[^ ]*\)/ .*#\1#p' "$home/out")
kill -TERM "$pid"
for _ in $(seq 1 300); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
if kill -0 "$pid" 2>/dev/null; then echo "did not stop within 30 s"; exit 1; fi
sleep 0.5
for each in $program; do if kill -0 "$each" 2>/dev/null; then echo "npm ended, the program did not"; exit 1; fi; done
if curl -s -o /dev/null --max-time 2 "$address/"; then echo "the page is still served"; exit 1; fi
[ ! -S "$home/control.sock" ] || { echo "the control socket is still there"; exit 1; }
echo "stopped"
