// Error budgets of live models and series: judged beside the loop, after evaluations.
import { beforeEach, expect, test } from "bun:test";
import { listBudgets } from "../../../src/store/budgets.ts";
import { MINUTE, useLiveWorld } from "../world.ts";

const world = useLiveWorld();
/** The fake bucket answers 10 for each of them: all requests fail. */
const features = [
  { name: "requests", metric: "sum", field: "x" },
  { name: "errors", metric: "sum", field: "y" },
  { name: "burn", budget: { total: "requests", bad: "errors", objective: 0.9, window: "1d" } },
];
const list = () => listBudgets(world.store, { madeAt: 0 }, { from: 0, to: 10 });

beforeEach(() => world.begin());

test("a model has its state after an evaluation, and a new one after ten minutes", async () => {
  await world.makeModel("m", { features });
  await world.start(["m"]);
  await world.pass(2 * MINUTE);
  const [found] = await list();
  expect(found).toMatchObject({ model: "m", series: null, feature: "burn", isKnown: true });
  expect(found!.remaining).toBeCloseTo(-9, 6);
  expect(found!.state).toMatchObject({ total: 14_400, burn: "fast", exhaustion: { outlook: "exhausted" } });
  const { reads } = world.bucket;
  await world.pass(5 * MINUTE);
  expect(world.bucket.reads - reads).toBe(5);
  await world.pass(6 * MINUTE);
  const [next] = await list();
  expect(next!.madeAt - found!.madeAt).toBeGreaterThanOrEqual(10 * MINUTE);
});

test("series of a fleet have their own", async () => {
  await world.makeFleet("fleet", ["a", "b"], { features });
  await world.start(["fleet"]);
  await world.pass(2 * MINUTE);
  expect((await list()).map(({ series }) => series)).toEqual([{ host: "a" }, { host: "b" }]);
});
