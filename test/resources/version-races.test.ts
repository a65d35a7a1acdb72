// Versions removed during requests: the active version is always found.
import { expect, test } from "bun:test";
import { versionsIn } from "../../src/jobs/queue/input.ts";
import type { Compute, ModelKind } from "../../src/models/kind.ts";
import { ModelTransfer } from "../../src/resources/model-transfer.ts";
import { listVersions, loadVersion } from "../../src/store/versions.ts";
import { drain } from "../jobs/fakes.ts";
import { codeOf } from "../store/temporary.ts";
import { makeWorld, plainModel, type World } from "./world.ts";

/** More than any request here takes, or the end of a training. */
const TURNS = 40;
const settings = plainModel;

/** A world that keeps one version per model, in which model `m` has one. */
async function open(): Promise<World> {
  const world = await makeWorld({ versionsKept: 1 });
  world.clock.at = 86_400_000;
  await world.buckets.put({ name: "b", type: "local" });
  await world.models.create(settings);
  await world.finish(await world.models.train("m", { from: "now-1h" }));
  return world;
}

/** Bundles that leave compute nothing. */
const compute = {} as Compute;

/** What a job that was submitted works with is there for it. */
async function expectWorkable(world: World, id: string): Promise<void> {
  const { job } = await world.call(id);
  const names = versionsIn(job.input);
  expect(names).toHaveLength(1);
  for (const name of names) expect(await loadVersion(world.store, "m", name)).toMatchObject({ name });
  await world.finish(id);
}

const requests: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
  forecast: async (world) => {
    const { jobId } = await world.models.forecast("m", { to: "now+5m" });
    return () => expectWorkable(world, jobId);
  },
  evaluate: async (world) => {
    const { jobId } = await world.models.evaluate("m", { from: "now-1h" });
    return () => expectWorkable(world, jobId);
  },
  export: async ({ store, clock }) => {
    const kind = {} as ModelKind;
    const bundle = await new ModelTransfer({
      store,
      clock,
      kind,
      compute,
      serverVersion: "1",
    }).exportBundle("m", {});
    expect(bundle).toMatchObject({ settings: { name: "m" } });
  },
  versions: async ({ models }) => {
    expect((await models.versions("m")).entries).toMatchObject([{ version: { active: true } }]);
  },
};

test.each(
  Object.keys(requests),
)("promise 11: %s while the version that answers is replaced", async (name) => {
  const world = await open();
  try {
    // The training ends ever later after the request, and the request ever later after its end.
    for (let turn = -TURNS; turn < TURNS; turn++) {
      const training = await world.call(await world.models.train("m", { from: "now-1h" }));
      if (turn < 0) training.done();
      for (let i = turn; i < 0; i++) await Promise.resolve();
      const answer = requests[name]!(world);
      for (let i = 0; i < turn; i++) await Promise.resolve();
      if (turn >= 0) training.done();
      const check = await answer;
      await drain();
      if (typeof check === "function") await check();
      // What a job worked with may be there besides, until the next training.
      const answering = (await listVersions(world.store, "m")).map(({ active }) => active);
      expect([[true], [false, true]]).toContainEqual(answering);
    }
  } finally {
    await world.close();
  }
});

test("a training that goes on from a version that was replaced meanwhile goes on from the new one", async () => {
  const world = await open();
  try {
    for (let turn = 0; turn < TURNS; turn++) {
      const training = await world.call(await world.models.train("m", { from: "now-1h" }));
      training.done();
      for (let i = 0; i < turn; i++) await Promise.resolve();
      const answer = world.models.train("m", { from: "now-1h", continue: true });
      const code = await codeOf(answer);
      await drain();
      if (code === "nothing thrown") await expectWorkable(world, await answer);
      else expect(code).toBe("training_active");
    }
  } finally {
    await world.close();
  }
});

test("an unknown version is not found, whichever is active", async () => {
  const world = await open();
  try {
    await world.finish(await world.models.train("m", { from: "now-1h" }));
    expect(await codeOf(world.models.restore("m", "00"))).toBe("not_found");
    expect(await codeOf(world.models.version("m", "00"))).toBe("not_found");
    const kind = {} as ModelKind;
    const transfer = new ModelTransfer({ ...world, kind, compute, serverVersion: "1" });
    expect(await codeOf(transfer.exportBundle("m", { version: "00" }))).toBe("not_found");
  } finally {
    await world.close();
  }
});
