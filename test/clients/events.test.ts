// Events of a live server, as both clients receive them.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { Api } from "../../.ci/clients/api.ts";
import { createClient } from "../../src/cli/client/client.ts";
import { temporaryFolder } from "../support/folder.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";
import { compileClient, hasPython, readOwnApi, startPython, writePythonClient } from "./generated.ts";

let api: Api;
let server: ServerProcess;
beforeAll(async () => {
  api = await readOwnApi();
  server = await startServer({ dataDir: temporaryFolder() });
});
afterAll(() => server?.stop());

/** Creates a bucket after the first event. @param next the next event @returns it */
async function createWhileFollowing(name: string, next: () => Promise<unknown>): Promise<unknown> {
  expect(await next()).toMatchObject({ event: "ready" });
  await createClient({ baseUrl: server.url, sleep: Bun.sleep }).putBucket({ name, type: "local" });
  return await next();
}

test("the TypeScript client yields them, and stops with its signal", async () => {
  const { Torus } = (await import(join(await compileClient(api), "index.js"))) as {
    readonly Torus: new (options: {
      url: string;
    }) => {
      followEvents(options: { types: string; signal: AbortSignal }): AsyncGenerator<object>;
    };
  };
  const abort = new AbortController();
  const events = new Torus({ url: server.url }).followEvents({ types: "bucket", signal: abort.signal });
  const event = await createWhileFollowing("one", async () => (await events.next()).value);
  expect(event).toEqual({
    id: expect.any(String),
    event: "bucket",
    data: { bucket: "one", change: "created" },
  });
  const rest = events.next();
  abort.abort(new Error("enough"));
  await expect(rest).rejects.toThrow("enough");
});

test.skipIf(!hasPython())("the Python client yields them as records", async () => {
  const script = `import json, sys, torus_client as t
events = None
for line in sys.stdin:
    events = events or t.Torus(json.loads(line)["url"]).follow_events(types="bucket")
    event = next(events)
    print(json.dumps({"event": event.event, "type": type(event).__name__, "data": t.to_json(event.data)}), flush=True)
`;
  const { ask, stop } = startPython(writePythonClient(api), script);
  const event = await createWhileFollowing("two", async () => JSON.parse(await ask({ url: server.url })));
  expect(event).toEqual({
    event: "bucket",
    type: expect.stringContaining("ServerEvent"),
    data: { bucket: "two", change: "created" },
  });
  await stop();
});
