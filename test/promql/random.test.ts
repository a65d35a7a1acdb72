// Random queries beside a real Prometheus: a small case of `npm run test:promql`.
import { expect, test } from "bun:test";
import { prometheusMissing } from "../support/prometheus.ts";
import { compareRandom } from "./differential.ts";
import { randomQueries } from "./random-queries.ts";

const COUNT = 150;
const MAX_MS = 120_000;

if (prometheusMissing) console.warn(prometheusMissing);

test("queries follow from the seed", () => {
  const first = (seed: number) => randomQueries(seed).take(20).toArray();
  expect(first(1)).toEqual(first(1));
  expect(first(1)).not.toEqual(first(2));
});

test.skipIf(prometheusMissing !== undefined)(
  "random queries are answered as Prometheus does",
  async () => {
    const { differences, answered } = await compareRandom(1, COUNT);
    expect(differences).toEqual([]);
    expect(answered).toBeGreaterThan(COUNT / 3);
  },
  MAX_MS,
);
