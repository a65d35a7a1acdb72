// A model moves from one server to another and scores the same there, and in a plain ONNX runtime.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { type Client, createClient, type Stat } from "../../src/cli/client/client.ts";
import { aModel } from "../support/builders.ts";
import { temporaryFolder } from "../support/folder.ts";
import { scoreWindows } from "../support/plain-onnx.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";

const HOUR = 3600;
const LENGTH = 24 * 40;
const TRAINED = 24 * 30;
const SPAN = 24;
const TEST_MS = 180_000;
setDefaultTimeout(TEST_MS);

const model = aModel({
  name: "web",
  default_bucket: "points",
  bucket_interval: HOUR,
  span: SPAN,
  // Every value is believed: the windows of the service are those of the data.
  max_threshold: 100,
  min_threshold: 50,
  features: [
    { name: "load", metric: "avg", field: "load" },
    { name: "hits", metric: "max", field: "hits", anomaly_type: "high" },
  ],
});
const evaluated = { from: TRAINED * HOUR, to: LENGTH * HOUR, detect_anomalies: true };

interface Site {
  readonly server: ServerProcess;
  readonly client: Client;
}
const sites: Site[] = [];

/** A server whose scores are taken at the latent's mean, as those of an exported network are. */
async function openSite(): Promise<Site> {
  const dir = temporaryFolder();
  const config = join(dir, "torus.yml");
  await Bun.write(config, "inference: {samples: 0}\n");
  const server = await startServer({ dataDir: join(dir, "data"), args: ["--config", config] });
  const client = createClient({ baseUrl: server.url, sleep: (ms) => Bun.sleep(Math.min(ms, 20)) });
  await client.putBucket({ name: "points", type: "local" });
  await client.waitForJob(await client.write("points", makePoints()));
  const site = { server, client };
  sites.push(site);
  return site;
}

/** A daily rhythm with a little noise. */
function makePoints(): { timestamp: number; load: number; hits: number }[] {
  return Array.from({ length: LENGTH }, (_, i) => {
    const noise = ((i * 7919) % 101) / 101 - 0.5;
    const wave = Math.sin((2 * Math.PI * i) / 24);
    return { timestamp: i * HOUR, load: 100 + 40 * wave + 4 * noise, hits: 5e9 + 1e5 * (wave + noise) };
  });
}

beforeAll(async () => {
  const { client } = await openSite();
  await client.createModel(model);
  await client.waitForJob(
    await client.train("web", { from: 0, to: TRAINED * HOUR, max_evals: 1, epochs: 60 }),
  );
}, TEST_MS);

afterAll(async () => {
  for (const { server } of sites) {
    await server.kill();
  }
});

const urlOf = ({ server }: Site, query: string) => `${server.url}/models/web/_export?${query}`;

test("a bundle makes the same model on another server: equal settings, state, evaluations and networks", async () => {
  const [here] = sites as [Site];
  const bundle = await (await fetch(urlOf(here, "format=bundle&pretty=true"))).text();
  const there = await openSite();
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${there.server.url}/models/_import`, {
    method: "POST",
    headers,
    body: bundle,
  });
  expect([answer.status, await answer.json()]).toEqual([201, "success"]);

  const states = await Promise.all(
    [here, there].map(async ({ client }) => {
      const [{ settings, state }] =
        await client.call<[{ settings: object; state: object }]>("GET /models/web");
      return { settings, state, evaluation: await client.evaluate("web", evaluated) };
    }),
  );
  expect(states[1]).toEqual(states[0]!);
  const [ours, theirs] = await Promise.all(
    [here, there].map(async (site) => (await fetch(urlOf(site, "feature=load"))).bytes()),
  );
  expect(theirs).toEqual(ours!);

  const again = await fetch(`${there.server.url}/models/_import`, {
    method: "POST",
    headers,
    body: bundle,
  });
  expect([again.status, ((await again.json()) as { code: string }).code]).toEqual([409, "already_exists"]);
});

test("an exported network gives the densities of _eval in a runtime that knows nothing of the service", async () => {
  const [here] = sites as [Site];
  const points = makePoints();
  // The file holds the networks: they are compared with the networks alone.
  await here.client.call("PATCH /models/web", { body: { detector: "vae" } });
  const { stats, predicted } = await here.client.evaluate("web", evaluated);
  await here.client.call("PATCH /models/web", { body: { detector: null } });
  const joint = new Float64Array(stats!.length);
  for (const name of ["load", "hits"] as const) {
    const file = await (await fetch(urlOf(here, `feature=${name}`))).bytes();
    const windows = Array.from({ length: stats!.length }, (_, i) =>
      points.slice(TRAINED + i - SPAN + 1, TRAINED + i + 1).map((point) => point[name]),
    );
    const { nll, mean } = await scoreWindows(file, windows);
    for (const [i, value] of nll.entries()) {
      joint[i] = joint[i]! + value;
      const expected = predicted[name]![i]!;
      expect(Math.abs(mean[i * SPAN + SPAN - 1]! - expected) / Math.abs(expected)).toBeLessThan(1e-4);
    }
  }
  for (const [i, { nll }] of (stats as readonly (Stat & { nll: number })[]).entries())
    expect(Math.abs(joint[i]! - nll) / Math.max(1, Math.abs(nll))).toBeLessThan(1e-4);
});
