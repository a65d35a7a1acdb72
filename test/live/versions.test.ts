// Version cache: loaded once, again when another version is active, bounded in bytes.
import { expect, test } from "bun:test";
import { VersionCache } from "../../src/live/versions.ts";
import { loadModel } from "../../src/store/models.ts";
import { useLiveWorld } from "./world.ts";

const world = useLiveWorld();

async function setUp(...names: string[]) {
  for (const name of names) await world.makeModel(name);
}
const active = async (name: string) => (await loadModel(world.store, name)).version!;

test("the same one is loaded once; another one, or one of a model made anew, is not taken for it", async () => {
  await setUp("m");
  const cache = new VersionCache(world.store);
  const first = await cache.load("m", await active("m"));
  expect(await cache.load("m", await active("m"))).toBe(first);
  expect(await cache.load("m", { name: "00", createdAt: 5 })).not.toBe(first);
  await world.train("m", {
    ...((await loadModel(world.store, "m")).settings as never as { name: string }),
  } as never);
  expect(await cache.load("m", await active("m"))).toMatchObject({ name: "01" });
});

test("loads a version that does not fit each time, and keeps the others", async () => {
  await setUp("m", "k");
  const cache = new VersionCache(world.store, 4);
  const kept = await cache.load("m", await active("m"));
  const passing = await cache.load("k", await active("k"));
  expect(await cache.load("k", await active("k"))).not.toBe(passing);
  expect(await cache.load("m", await active("m"))).toBe(kept);
  cache.forget("m");
  const now = await cache.load("k", await active("k"));
  expect(await cache.load("k", await active("k"))).toBe(now);
});
