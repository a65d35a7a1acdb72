// Services of a root without an init system: what is asked of them is recorded, their states are kept.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const programs: Readonly<Record<string, string>> = {
  "usr/bin/deb-systemd-invoke": 'exec systemctl "$@"',
  "usr/bin/systemctl": `case "$1" in
  show) echo LoadState=loaded; cat /active 2>/dev/null || echo ActiveState=inactive ;;
  is-enabled) [ -e /enabled ] ;;
  enable) touch /enabled ;;
  start|restart) echo ActiveState=active >/active; echo "$@" >>/invoked ;;
  stop) rm -f /active; echo "$@" >>/invoked ;;
esac`,
};

/** Makes the root look like a booted system with one service. @returns reads what was asked, a line each */
export function recordServices(root: string): () => string {
  mkdirSync(join(root, "run/systemd/system"), { recursive: true });
  for (const [path, text] of Object.entries(programs)) {
    writeFileSync(join(root, path), `#!/bin/sh\n${text}\n`);
    chmodSync(join(root, path), 0o755);
  }
  const record = join(root, "invoked");
  return () => (existsSync(record) ? readFileSync(record, "utf8") : "");
}
