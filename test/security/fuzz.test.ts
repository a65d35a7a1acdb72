// A short fuzz of all receivers; `npm run test:fuzz` has the long one. And of budgets, that none is ever overdrawn.
import { describe, expect, test } from "bun:test";
import { readPayload } from "../../src/buckets/mqtt/payload.ts";
import { snappySteps } from "../../src/core/formats/snappy.ts";
import { MetadataSet } from "../../src/core/series/metric-metadata.ts";
import { countJson } from "../../src/resources/receivers/otlp/json.ts";
import { createOtlpBudget } from "../../src/resources/receivers/otlp/metric.ts";
import { indexProtobuf } from "../../src/resources/receivers/otlp/protobuf-index.ts";
import { indexMessage, remoteWriteCaps } from "../../src/resources/receivers/remote-write/message.ts";
import { finish } from "../../src/runtime/steps.ts";
import { type Caps, WorkBudget } from "../../src/runtime/work-budget.ts";
import { temporaryFolder } from "../support/folder.ts";
import { amplifierOf, createRandom } from "./amplify.ts";
import { fuzz } from "./fuzz.ts";

const MAX_GROWTH_MB = 300;
const MB = 1_000_000;

test("amplifying messages take no memory, and the server answers others meanwhile", async () => {
  const seeds = Array.from({ length: 12 }, (_, i) => i);
  const sent = await fuzz({ dataDir: temporaryFolder(), seeds, bytes: 12 * MB });
  for (const { name, status, grownMb } of sent) {
    expect([name, status < 500 || status === 503]).toEqual([name, true]);
    expect([name, grownMb < MAX_GROWTH_MB]).toEqual([name, true]);
  }
  expect(sent.reduce((sum, { answers }) => sum + answers, 0)).toBeGreaterThan(3 * seeds.length);
}, 180_000);

describe("no budget is overdrawn", () => {
  const expectKept = <Name extends string>(budget: WorkBudget<Name>) => {
    for (const [name, { most }] of Object.entries(budget.caps as Caps<string>))
      expect(budget.taken(name as Name)).toBeLessThanOrEqual(most);
  };
  const run = async (seed: number) => {
    const { path, headers, body } = amplifierOf(seed, 4 * MB);
    if (path.startsWith("/v1/metrics")) {
      const bytes = new Uint8Array(Bun.gunzipSync(body as Uint8Array<ArrayBuffer>));
      const budget = createOtlpBudget();
      const isJson = headers["content-type"] === "application/json";
      const counting = isJson
        ? countJson(JSON.parse(Buffer.from(bytes).toString()), budget)
        : indexProtobuf(bytes, budget);
      await Promise.resolve(counting).catch(() => {});
      expectKept(budget);
    } else if (path.startsWith("/api/v1/write")) {
      const budget = new WorkBudget(remoteWriteCaps);
      const bytes = finish(snappySteps(body as Uint8Array, 64 * MB));
      const version = headers["content-type"]!.includes("v2") ? 2 : 1;
      await indexMessage(bytes, { version, metadata: new MetadataSet(), budget }).catch(() => {});
      expectKept(budget);
    }
  };

  test.each(Array.from({ length: 24 }, (_, i) => i))("by the message of seed %p", run);

  test("by payloads of MQTT of any shape", () => {
    const captured = { measurement: undefined, field: undefined, tags: {} };
    for (let seed = 0; seed < 50; seed++) {
      const random = createRandom(seed);
      const unit = ["1", "{}", '""', "[1]", '{"a":1}'][random(5)]!;
      const keys = Array.from({ length: 500 * random(40) }, (_, i) => `"k${i}":${unit}`);
      const message = { payload: `{${keys.join()}}`, captured, nowAt: 0, isRetained: false };
      const reading = readPayload(message, { format: "json" });
      const fields =
        "points" in reading ? [...reading.points.values()].flat().map((point) => point.fields) : [];
      for (const each of fields) expect(Object.keys(each).length).toBeLessThanOrEqual(1000);
    }
  });
});
