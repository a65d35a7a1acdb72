// The feed of changes on a real PostgreSQL: writers that commit late and out of order, and none is missed or heard twice.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { announce, signal, write } from "../../../src/store/db/transaction.ts";
import { ChangeFeed, sweepChanges } from "../../../src/store/postgres/change-feed.ts";
import { Connection } from "../../../src/store/postgres/connection.ts";
import { openPostgres, type SharedStore } from "../../../src/store/postgres/open.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { owner, type Postgres, postgresMissing, startPostgres } from "../../support/postgres.ts";
import { isServerRequired } from "../../support/spawned.ts";

const SETUP_MS = 60_000;
const WRITERS = 8;
const CHANGES = 40;

if (postgresMissing) console.log(postgresMissing);

describe.skipIf(postgresMissing !== undefined && !isServerRequired)("the feed", () => {
  let postgres: Postgres;
  let url: string;
  let store: SharedStore;
  const open = () => openPostgres({ url, dir: temporaryFolder() });
  const change = (target: SharedStore, model: string) =>
    write(target, (tx) => announce(tx, { type: "model", model, step: "changed" }));
  const modelsOf = async (feed: ChangeFeed) =>
    (await feed.ask()).found.flatMap(({ changes }) =>
      changes.map((each) => ("model" in each ? each.model : null)),
    );

  beforeAll(async () => {
    postgres = await startPostgres();
    url = `postgres://${owner.user}:${owner.password}@${postgres.addr}/${postgres.database}`;
    store = await open();
  }, SETUP_MS);
  afterAll(async () => {
    await store?.close();
    await postgres?.stop();
  });

  test("answers the changes of others since the last question, never its own", async () => {
    const other = await open();
    await change(other, "before");
    await store.feed.ask();
    await change(store, "own");
    await change(other, "first");
    await write(other, (tx) => signal(tx, { topic: "tokens" }));
    const { found, isReset } = await store.feed.ask();
    expect(isReset).toBe(false);
    expect(found).toEqual([
      { changes: [{ type: "model", model: "first", step: "changed" }], signals: [] },
      { changes: [], signals: [{ topic: "tokens" }] },
    ]);
    expect((await store.feed.ask()).found).toEqual([]);
    await other.close();
  });

  test("is silent about a transaction that fails, and about evaluations", async () => {
    const other = await open();
    await store.feed.ask();
    const failing = write(other, (tx) => {
      announce(tx, { type: "model", model: "undone", step: "changed" });
      throw new Error("in the middle");
    });
    await expect(failing).rejects.toThrow("in the middle");
    await write(other, (tx) =>
      announce(tx, { type: "live", model: "m", windowAt: 1, outcome: "ok", score: 0 }),
    );
    expect((await store.feed.ask()).found).toEqual([]);
    await other.close();
  });

  test("misses no change that commits late or out of order, and tells none twice", async () => {
    const feed = new ChangeFeed(store.session, "reader");
    await feed.ask();
    const connections = await Promise.all(
      Array.from({ length: WRITERS }, () => Connection.open(url, "torus")),
    );
    const writing = Promise.all(
      connections.map(async (connection, writer) => {
        for (let i = 0; i < CHANGES; i++) {
          await connection.run("begin");
          const body = JSON.stringify({ changes: [{ type: "model", model: `${writer}/${i}` }], signals: [] });
          await connection.query("insert into changes (origin, body) values (?, ?)", ["w", body]);
          // The order of commits is that of no sequence.
          await connection.query("select pg_sleep(random() * 0.02)");
          await connection.run(i % 10 === 9 ? "rollback" : "commit");
        }
      }),
    );
    let isWriting = true;
    void writing.finally(() => (isWriting = false));
    const heard: (string | null)[] = [];
    while (isWriting) heard.push(...(await modelsOf(feed)));
    heard.push(...(await modelsOf(feed)));
    const committed = connections.flatMap((_, writer) =>
      Array.from({ length: CHANGES }, (_, i) => (i % 10 === 9 ? [] : [`${writer}/${i}`])).flat(),
    );
    expect(heard.sort()).toEqual(committed.sort());
    await Promise.all(connections.map((connection) => connection.close()));
  });

  test("says where the database is another one, as after a restore", async () => {
    const session = { query: () => Promise.resolve([[answers.shift(), null, null, null]]) };
    const answers = ["900", "901", "500", "501"];
    const feed = new ChangeFeed(session, "reader");
    const resets: boolean[] = [];
    for (let i = 0; i < 4; i++) resets.push((await feed.ask()).isReset);
    expect(resets).toEqual([false, false, true, false]);
  });

  test("keeps what is younger than its age", async () => {
    const count = async () => (await store.session.query("select count(*) from changes"))[0]![0];
    expect(await count()).toBeGreaterThan(100);
    await sweepChanges(store.session, 60_000);
    expect(await count()).toBeGreaterThan(100);
    await sweepChanges(store.session, 0);
    expect(await count()).toBe(0);
  });
});
