// State of live fleets: series by state, and advice while some are not watched.
import { beforeEach, expect, test } from "bun:test";
import { stateOf } from "../../../src/live/state.ts";
import { viewModel } from "../../../src/resources/models/view.ts";
import { loadModel } from "../../../src/store/models.ts";
import { MINUTE, NOON, useLiveWorld } from "../../live/world.ts";

const world = useLiveWorld();
beforeEach(() => world.begin());

async function view() {
  const row = await world.row();
  const live = { row, state: stateOf(row) };
  const context = { reportOf: () => undefined, nowAt: world.clock.now() };
  const model = await loadModel(world.store, "m");
  return {
    live: viewModel(model, { ...context, live }),
    stopped: viewModel(model, { ...context, live: undefined }),
  };
}

test("a live fleet has its series by state; a stopped one has none", async () => {
  await world.makeFleet("m", ["a", "b"], { max_series: 2 });
  world.bucket.hosts.get("a")!.set(NOON, 95);
  await world.start(["m"]);
  await world.pass(MINUTE);
  const counts = { watched: 1, new: 0, anomalous: 1, silent: 0, failed: 0 };
  expect((await view()).live.state.series).toEqual({ ...counts, unwatched: 0 });
  expect((await view()).stopped.state).not.toHaveProperty("series");
  world.addHost("c");
  await world.pass(MINUTE);
  expect((await view()).live.state.series).toMatchObject({
    unwatched: 1,
    advice: "1 series are not watched: raise max_series above 2",
  });
});

test("a model of one series has no numbers of series", async () => {
  await world.makeModel("m");
  await world.start(["m"]);
  await world.pass(MINUTE);
  expect((await view()).live.state).not.toHaveProperty("series");
});

test("a model names the units in force beside its settings, which stay as they are", async () => {
  await world.makeModel("m");
  const model = await loadModel(world.store, "m");
  const [first, ...others] = model.settings.features as { readonly name: string }[];
  const shown = (unit: string) => {
    const settings = { ...model.settings, features: [{ ...first!, unit }, ...others] };
    return viewModel({ ...model, settings }, { reportOf: () => undefined, live: undefined, nowAt: 0 });
  };
  expect(shown("KBy")).toMatchObject({
    units: { [first!.name]: "kB" },
    settings: { features: [{ unit: "KBy" }] },
  });
  expect(shown("1")).not.toHaveProperty("units");
});
