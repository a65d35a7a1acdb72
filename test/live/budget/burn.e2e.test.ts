// Burn rates in a whole service: a burn at an unusual hour starts an anomaly, and the burn of every night does not.
import { expect, setDefaultTimeout, test } from "bun:test";
import { type Client, createClient } from "../../../src/cli/client/client.ts";
import { startTestServer } from "../../contract/server.ts";
import { aModel } from "../../support/builders.ts";
import { temporaryFolder } from "../../support/folder.ts";

const HOUR = 3600;
const HOURS = 24 * 28;
const DEADLINE_MS = 60_000;
setDefaultTimeout(4 * DEADLINE_MS);

const features = [
  { name: "requests", metric: "sum", field: "requests" },
  { name: "errors", metric: "sum", field: "errors" },
  { name: "burn", budget: { total: "requests", bad: "errors", objective: "99.9%", window: "7d" } },
];

/** Share of errors of an hour; the last one is 1. */
type ShareOf = (back: number) => number;

const usualShare = 0.0003;
/** Each night burns for two hours, three times as fast as the objective allows. */
const burningShare = 0.003;
const shares: Readonly<Record<string, ShareOf>> = {
  // The last hours are those of a night.
  usual: (back) => ([1, 2].includes(back % 24) ? burningShare : usualShare),
  // The last hour is none of a night, and burns as one.
  unusual: (back) => (back === 1 || [12, 13].includes(back % 24) ? burningShare : usualShare),
};

/** Counts vary around their mean as those of independent requests do. */
function makeCounts(): (mean: number) => number {
  let state = 1;
  const next = () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const normal = () => Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next());
  return (mean) => Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()));
}

async function makeModel(client: Client, name: string, endAt: number): Promise<void> {
  await client.putBucket({ name, type: "local" });
  const draw = makeCounts();
  const points = Array.from({ length: HOURS }, (_, i) => {
    const back = HOURS - i;
    const requests = draw(100_000);
    return { timestamp: endAt - back * HOUR, requests, errors: draw(requests * shares[name]!(back)) };
  });
  await client.waitForJob(await client.write(name, points));
  await client.createModel(aModel({ name, features, default_bucket: name, bucket_interval: "1h", span: 24 }));
  const range = { from: endAt - HOURS * HOUR, to: endAt - 2 * HOUR };
  await client.waitForJob(await client.train(name, { ...range, max_evals: 1, epochs: 20 }));
  await client.call(`POST /models/${name}/_start`, { query: { detect_anomalies: true } });
}

interface View {
  readonly live?: { readonly last_window: number | null; readonly anomaly?: object };
}
interface Anomaly {
  readonly model: string;
  readonly features: Readonly<Record<string, { readonly type: string }>>;
}

async function waitForEvaluation(client: Client, name: string, endAt: number): Promise<void> {
  const deadlineAt = performance.now() + DEADLINE_MS;
  for (;;) {
    const [view] = await client.call<View[]>(`GET /models/${name}`);
    if ((view?.live?.last_window ?? 0) >= endAt) return;
    if (performance.now() > deadlineAt) throw new Error(JSON.stringify(view?.live));
    await Bun.sleep(100);
  }
}

test("a burn at an unusual hour starts an anomaly of the burn rate; the one of every night does not", async () => {
  const server = await startTestServer({ dir: temporaryFolder(), args: ["--workers", "1"] });
  try {
    const client = createClient({ baseUrl: server.url, sleep: () => Bun.sleep(20) });
    const endAt = Math.floor(Date.now() / 1000 / HOUR) * HOUR;
    for (const name of Object.keys(shares)) await makeModel(client, name, endAt);
    for (const name of Object.keys(shares)) await waitForEvaluation(client, name, endAt);
    const anomalies = await client.call<Anomaly[]>("GET /anomalies");
    expect(anomalies.map(({ model }) => model)).toEqual(["unusual"]);
    expect(anomalies[0]!.features).toMatchObject({ burn: { type: "high" } });
  } finally {
    await server.stop();
  }
});
