// Hooks of single models in a migration: compared with open secrets, sealed anew at their place in the fleet.
import { expect, test } from "bun:test";
import { openStore } from "../../../src/store/db/open.ts";
import { write } from "../../../src/store/db/transaction.ts";
import { compareHooks, copyHooks } from "../../../src/store/fleets/migrated-hooks.ts";
import { loadHook, putHook } from "../../../src/store/hooks.ts";
import { createModel } from "../../../src/store/models.ts";
import { aModel } from "../../support/builders.ts";
import { perTest } from "../../support/per-test.ts";
import { makeDir } from "../temporary.ts";

const SECRET = "a-secret-of-hooks";

const sealed = perTest(
  () => {
    const { dir, remove } = makeDir();
    return { store: openStore({ dir, sealing: { secretsOf: () => ["secret"] } }), remove };
  },
  ({ store, remove }) => {
    store.close();
    remove();
  },
);

test("equal secrets are equal although sealed apart, and the copy opens where it is", async () => {
  const { store } = sealed;
  for (const name of ["a", "b", "fleet"]) await createModel(store, { name, settings: aModel({ name }) }, 1);
  const config = { secret: SECRET, url: "https://example.org" };
  for (const model of ["a", "b"])
    await putHook(store, { model, name: "ops" }, { at: 1, change: () => ({ kind: "webhook", config }) });
  await write(store, async (tx) => {
    const { shared, uncopied } = await compareHooks(tx, store, [{ model: "a" }, { model: "b" }]);
    expect([shared.length, uncopied]).toEqual([1, []]);
    await copyHooks(tx, store, { hooks: shared, model: "fleet", at: 2 });
  });
  const key = { model: "fleet", name: "ops" };
  expect(await loadHook(store, key)).toMatchObject({ kind: "webhook", config, createdAt: 2 });
  const rows = JSON.stringify(store.sqlite.query("select config from hooks").all());
  expect(rows).not.toContain(SECRET);
});
