// Cold start on a real process: a model without a training is started, and trained from the points that are there.
import { afterEach, expect, test } from "bun:test";
import { createClient } from "../../src/cli/client/client.ts";
import { aModel } from "../support/builders.ts";
import { temporaryFolder } from "../support/folder.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";

const POLL_MS = 50;
const DEADLINE_MS = 15_000;
const dataDir = temporaryFolder();
let server: ServerProcess | undefined;

afterEach(() => server?.kill());

interface View {
  readonly state: { readonly trained: boolean; readonly detectors?: string; readonly confidence?: string };
  readonly live?: { readonly failures: number; readonly learning?: { readonly needed: number } };
}

test("a model with detector auto is trained on the companions as soon as it is started", async () => {
  server = await startServer({ dataDir });
  const client = createClient({ baseUrl: server.url, sleep: (ms) => Bun.sleep(Math.min(ms, POLL_MS)) });
  await client.putBucket({ name: "b", type: "local" });
  const now = Math.floor(Date.now() / 1000);
  const points = Array.from({ length: 100 }, (_, i) => ({ timestamp: now - 100 + i, v: Math.sin(i / 9) }));
  await client.waitForJob(await client.write("b", points));
  await client.createModel(aModel({ detector: "auto", bucket_interval: "1s" }));
  await client.call("POST /models/m/_start", { query: { detect_anomalies: true }, status: 204 });
  const deadline = Date.now() + DEADLINE_MS;
  let view: View | undefined;
  while (!view?.state.trained) {
    expect(Date.now()).toBeLessThan(deadline);
    await Bun.sleep(POLL_MS);
    [view] = await client.call<View[]>("GET /models/m");
  }
  expect(view.state.confidence).toBe("learning");
  expect(view.state.detectors).toContain("linear");
  expect(view.state.detectors).not.toContain("network");
  expect(view.live).toMatchObject({ failures: 0 });
}, 180_000);
