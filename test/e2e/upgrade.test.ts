// One server through an upgrade, back and up again, while clients push: every point that they sent is there.
import { afterEach, expect, test } from "bun:test";
import pack from "../../package.json" with { type: "json" };
import { createClient } from "../../src/cli/client/client.ts";
import { temporaryFolder } from "../support/folder.ts";
import { makeNextVersion, nextVersion } from "../support/next-version.ts";
import { readPushed, startPushers } from "../support/pushers.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";

const PUSHES = 100;
let server: ServerProcess | undefined;
afterEach(() => server?.kill());

test("promise 1: an upgrade and the way back keep each point of clients that repeat what was not acknowledged", async () => {
  const dataDir = temporaryFolder();
  const { program } = makeNextVersion();
  const start = async (isNext: boolean) => {
    server = await startServer({ dataDir, ...(isNext && { program }) });
    const { version } = (await (await fetch(server.url)).json()) as { version: string };
    expect(version).toBe(isNext ? nextVersion : pack.version);
  };
  await start(false);
  const client = createClient({ baseUrl: server!.url, sleep: (ms) => Bun.sleep(ms) });
  await client.putBucket({ name: "b", type: "local" });
  const pushers = startPushers("b", () => server!.url);
  for (const isNext of [true, false, true]) {
    const before = pushers.count;
    while (pushers.count < before + PUSHES) await Bun.sleep(1);
    expect(await server!.stop()).toBe(0);
    await start(isNext);
  }
  await pushers.stop();
  const { count } = pushers;
  expect(await readPushed(server!.url, "b", count)).toEqual(Array.from({ length: count }, (_, i) => i));
}, 60_000);
