// Commands of administration: backup, tokens, nodes, connection errors.
import { expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { startReceiver } from "../../support/receiver.ts";
import { run, type TerminalOptions } from "../fake-terminal.ts";
import { useSession } from "../session.ts";

const session = useSession();
const { torus, ok, json, makeFile } = session;

test("backup writes an archive that only its owner can read", async () => {
  const file = join(session.dir, "torus.tar");
  const { bytes } = await json<{ bytes: number }>(`backup ${file}`);
  expect(statSync(file)).toMatchObject({ size: bytes });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file).subarray(257, 262).toString()).toBe("ustar");
  const nowhere = await torus(`backup ${join(session.dir, "none", "torus.tar")}`);
  expect([nowhere.code, nowhere.err]).toEqual([2, expect.stringContaining("cannot be written (ENOENT)")]);
});

test("tokens: the first one enables authentication, and gives access", async () => {
  const created = await torus("token create boss --scope admin");
  const secret = created.out.trim();
  expect(created.err).toContain("it cannot be shown again");
  const refused = await torus("list-models");
  expect([refused.code, refused.err]).toEqual([6, expect.stringContaining("--token-file")]);
  const file = makeFile("boss.token", `${secret}\n`);
  const waysIn: [string, TerminalOptions][] = [
    [`list-models --token-file ${file}`, {}],
    [`list-models --token ${secret}`, {}],
    ["list-models", { env: { TORUS_TOKEN: secret } }],
    [`list-models -A ${session.url.replace("//", `//boss:${secret}@`)}`, {}],
  ];
  for (const [line, options] of waysIn) expect((await torus(line, options)).code).toBe(0);
  const login = `--token-file ${file}`;
  await ok(`token create dash --scope read --expires-in 90d ${login}`);
  expect(await ok(`token list ${login}`)).toMatch(/^dash +read +20.* +- +20/m);
  expect((await torus(`token revoke boss ${login}`)).code).toBe(4);
  await ok(`token revoke dash boss ${login}`);
  expect(await json("token list")).toEqual([]);
});

test("a server whose state is a file is the only node, without a lease", async () => {
  const [, row, ...others] = (await ok("list-nodes")).trimEnd().split("\n");
  expect(row).toMatch(/^torus +127\.0\.0\.1:\d+ +live, jobs +1024 +- +0 s +2/);
  expect(others).toEqual([]);
  expect(await json("list-nodes")).toMatchObject([{ name: "torus", shards: 1024 }]);
});

test("--timeout ends the wait for an unresponsive server", async () => {
  const silent = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  try {
    const { code, err } = await run(`list-models -A 127.0.0.1:${silent.port} --timeout 0.1`);
    expect([code, err]).toEqual([5, expect.stringContaining("no answer within 0.1 s; see --timeout")]);
  } finally {
    silent.stop(true);
  }
});

test("other servers are reported as such", async () => {
  const other = await startReceiver();
  try {
    const { code, err } = await run(`list-models -A ${other.url}`);
    expect([code, err]).toEqual([1, expect.stringContaining("is this a Torus server?")]);
  } finally {
    await other.stop();
  }
});
