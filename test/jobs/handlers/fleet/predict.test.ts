// Evaluation of one series of a live fleet: its own recorded scores and anomalies, kept with its tags.
import { beforeEach, expect, test } from "bun:test";
import { predictHandler } from "../../../../src/jobs/handlers/predict.ts";
import type { HandlerDeps, PastInput } from "../../../../src/jobs/queue/handler.ts";
import type { PredictJob } from "../../../../src/jobs/queue/input.ts";
import type { ModelKind } from "../../../../src/models/kind.ts";
import { loadModel } from "../../../../src/store/models.ts";
import { MINUTE, NOON, useLiveWorld } from "../../../live/world.ts";

const world = useLiveWorld();
beforeEach(() => world.begin());

async function evaluate(host: string, over: Partial<PredictJob>) {
  const { settings } = await loadModel(world.store, "m");
  const range = { fromAt: NOON, toAt: NOON + 4 * MINUTE };
  const ref = { model: "m", version: "00", bucket: "b", series: { host } };
  const input: PredictJob = { ...ref, settings, range, detectAnomalies: true, ...over };
  const kept: PastInput[] = [];
  const deps = {
    store: world.store,
    kind: world.kind as ModelKind,
    openBucket: async () => world.bucket,
    recordPast: async (past: PastInput) => kept.push(past),
  } as unknown as HandlerDeps;
  const job = { id: "j", type: "prediction", model: "m", input, attempt: 1 } as const;
  const context = { signal: new AbortController().signal, onProgress: () => {} };
  const { result } = await predictHandler(deps)(job, context);
  return { result, kept };
}

test("scores and anomalies are those that live detection recorded of the series alone", async () => {
  await world.makeFleet("m", ["a", "b"]);
  world.bucket.hosts.get("a")!.set(NOON + MINUTE, 95);
  await world.start(["m"]);
  await world.pass(4 * MINUTE);
  world.bucket.hosts.get("a")!.set(NOON + MINUTE, 20);
  const a = await evaluate("a", { showsLive: true });
  expect(a.result).toMatchObject({
    stats: [{ score: 10 }, { score: 95 }, { score: 10 }, { score: 10 }],
    live: [{ start: (NOON + MINUTE) / 1000, peak_score: 95 }],
  });
  const b = await evaluate("b", { showsLive: true });
  expect(b.result).toMatchObject({ stats: [{ score: 10 }, { score: 10 }, { score: 10 }, { score: 10 }] });
  expect(b.result).not.toHaveProperty("live");
});

test("anomalies that are recorded carry the series", async () => {
  await world.makeFleet("m", ["a"]);
  const { kept, result } = await evaluate("a", { record: { hooks: false } });
  expect(kept).toMatchObject([{ model: "m", series: { host: "a" }, origin: "evaluation" }]);
  expect(result).toMatchObject({ recorded: 1 });
});
