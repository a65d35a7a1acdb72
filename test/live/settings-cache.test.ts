// Effective settings: parsed once per revision, and never those of an earlier life.
import { beforeEach, expect, test } from "bun:test";
import type { ModelSettings } from "../../src/core/model/model.ts";
import { SettingsCache } from "../../src/live/settings-cache.ts";
import { loadDue } from "../../src/store/live.ts";
import { loadModel, patchModels } from "../../src/store/models.ts";
import { restoreVersion } from "../../src/store/versions.ts";
import { codeOf } from "../store/temporary.ts";
import { useLiveWorld } from "./world.ts";

const world = useLiveWorld();
let cache: SettingsCache;
beforeEach(async () => {
  cache = new SettingsCache({ store: world.store });
  await world.makeModel("m");
  await world.start(["m"]);
});

const load = async () => cache.load("m", (await loadDue(world.store, "m"))!.revision);

test("read once, and anew after a change of settings, a training, a restore, another start", async () => {
  const first = await load();
  expect(first.version?.name).toBe("00");
  expect(await load()).toBe(first);
  await patchModels(world.store, ["m"], { at: 1, change: (old) => ({ ...old, max_threshold: 80 }) });
  const patched = await load();
  expect(patched.settings.max_threshold).toBe(80);
  await world.train("m", (await loadModel(world.store, "m")).settings as never as ModelSettings);
  expect((await load()).version?.name).toBe("01");
  await restoreVersion(world.store, { model: "m", version: "00" }, 1);
  const restored = await load();
  expect(restored.version?.name).toBe("00");
  await world.stop(["m"]);
  await world.start(["m"]);
  expect(await load()).not.toBe(restored);
});

test("a dropped entry is read again; an unknown model has no settings", async () => {
  const first = await load();
  cache.forget("m");
  expect(await load()).not.toBe(first);
  expect(await codeOf(cache.load("nobody", "x"))).toBe("not_found");
  expect(await loadDue(world.store, "nobody")).toBeUndefined();
});
