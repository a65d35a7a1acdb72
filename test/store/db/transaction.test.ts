// Promises 3 and 4: all or nothing, and a full disk.
import { expect, test } from "bun:test";
import type { Change } from "../../../src/core/change.ts";
import { meta } from "../../../src/store/db/schema.ts";
import { announce, read, write } from "../../../src/store/db/transaction.ts";
import { codeOf, dump, fillDisk, isPostgres, testSqlite, useStore } from "../temporary.ts";

const store = useStore();

const insert = (key: string, value: string) =>
  write(store, async (tx) => {
    await tx.insert(meta).values({ key, value }).run();
  });

test("promise 3: a throw undoes everything and passes through", async () => {
  const before = await dump(store);
  const failing = write(store, async (tx) => {
    await tx.insert(meta).values({ key: "a", value: "1" }).run();
    throw new Error("in the middle");
  });
  await expect(failing).rejects.toThrow("in the middle");
  expect(await dump(store)).toBe(before);
});

testSqlite(
  "promise 4: a full disk is `storage_full` for writes only, and passes without a restart",
  async () => {
    await insert("kept", "here");
    const makeRoom = fillDisk(store);
    const before = await dump(store);
    expect(await codeOf(insert("big", "x".repeat(100_000)))).toBe("storage_full");
    expect(await dump(store)).toBe(before);
    expect(await read(store, (db) => db.select().from(meta).all())).toEqual([{ key: "kept", value: "here" }]);
    makeRoom();
    await insert("big", "x".repeat(100_000));
    expect(await read(store, (db) => db.select().from(meta).all())).toHaveLength(2);
  },
);

test("announced changes are published after the commit, and never if it fails", async () => {
  const seen: Change[] = [];
  const end = store.changes.subscribe((change) => {
    if (!isPostgres) expect(store.sqlite.inTransaction).toBe(false);
    seen.push(change);
  });
  const created: Change = { type: "model", model: "m", step: "created" };
  await write(store, (tx) => {
    announce(tx, created);
    announce(tx, { ...created, step: "started" });
    expect(seen).toEqual([]);
  });
  expect(seen).toEqual([created, { ...created, step: "started" }]);
  const failing = write(store, (tx) => {
    announce(tx, created);
    throw new Error("in the middle");
  });
  await expect(failing).rejects.toThrow("in the middle");
  end();
  await write(store, (tx) => announce(tx, created));
  expect(seen).toHaveLength(2);
});

test("a read that is asked during a transaction sees all of it or nothing, and transactions take turns", async () => {
  const keys = () => read(store, async (db) => (await db.select().from(meta).all()).map(({ key }) => key));
  const twoRows = (name: string) =>
    write(store, async (tx) => {
      await tx
        .insert(meta)
        .values({ key: `${name}1`, value: "" })
        .run();
      if (!isPostgres) expect(store.sqlite.inTransaction).toBe(true);
      await Promise.resolve();
      await tx
        .insert(meta)
        .values({ key: `${name}2`, value: "" })
        .run();
    });
  const [, between, , after] = await Promise.all([twoRows("a"), keys(), twoRows("b"), keys()]);
  // On PostgreSQL a read does not wait: it sees what was committed when it began.
  const isWhole = (seen: readonly string[]) => seen.length % 2 === 0;
  const own = (seen: readonly string[]) => seen.filter((key) => /^[ab][12]$/.test(key));
  expect([own(between), own(after)].every(isWhole)).toBe(true);
  if (isPostgres) return;
  expect(between).toEqual(["a1", "a2"]);
  expect(after).toEqual(["a1", "a2", "b1", "b2"]);
});
