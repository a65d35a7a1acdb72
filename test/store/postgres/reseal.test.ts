// Change of the sealing key of a real PostgreSQL: every secret has the new key, or none.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { hostname } from "node:os";
import { listDue } from "../../../src/store/anomalies/due-deliveries.ts";
import { loadBucket } from "../../../src/store/buckets.ts";
import type { Store } from "../../../src/store/db/open.ts";
import { loadHook } from "../../../src/store/hooks.ts";
import { Connection } from "../../../src/store/postgres/connection.ts";
import { joinNode } from "../../../src/store/postgres/join.ts";
import { leaveNodes } from "../../../src/store/postgres/nodes.ts";
import { openPostgres } from "../../../src/store/postgres/open.ts";
import { type ResealOptions, resealPostgres } from "../../../src/store/postgres/reseal.ts";
import { loadScheduledJob } from "../../../src/store/scheduled-jobs.ts";
import type { SecretsOf } from "../../../src/store/secrets/seal.ts";
import { aNode } from "../../support/builders.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { owner, type Postgres, postgresMissing, startPostgres } from "../../support/postgres.ts";
import { isServerRequired } from "../../support/spawned.ts";
import { rows } from "../temporary.ts";
import { fillState, SECRET } from "../transfer/full-state.ts";

const SETUP_MS = 60_000;
const [before, after, other] = [1, 2, 3].map((fill) => Buffer.alloc(32, fill)) as [Buffer, Buffer, Buffer];
const secretsOf: SecretsOf = (table) =>
  table === "buckets" ? ["password"] : table === "hooks" ? ["secret"] : [];
/** Every column with sealed values. */
const sealed = [
  "buckets.settings",
  "hooks.config",
  "global_hooks.config",
  "outbox.config",
  "scheduled_jobs.definition",
];

if (postgresMissing) console.log(postgresMissing);

describe.skipIf(postgresMissing !== undefined && !isServerRequired)("a new key", () => {
  let postgres: Postgres;
  let url: string;
  let schema: string;

  beforeAll(async () => {
    postgres = await startPostgres();
    url = `postgres://${owner.user}:${owner.password}@${postgres.addr}/${postgres.database}`;
  }, SETUP_MS);
  afterAll(() => postgres?.stop());
  beforeEach(async () => {
    schema = `test_${crypto.randomUUID().replaceAll("-", "")}`;
    const store = await open(before);
    await fillState(store);
    await store.close();
  });

  const open = (key: Buffer) =>
    openPostgres({ url, schema, dir: temporaryFolder(), sealing: { key, secretsOf } });
  const reseal = (own: Partial<ResealOptions> = {}) =>
    resealPostgres({ postgres: { url, schema }, key: after, previous: before, secretsOf, ...own });
  const messageOf = (work: Promise<unknown>) =>
    work.then(
      () => "nothing thrown",
      (error) => String(error.message),
    );
  const textsOf = async (store: Store) => {
    const texts = await Promise.all(
      sealed.map(async (place) => {
        const [table, column] = place.split(".");
        return (await rows(store, `select ${column} from ${table}`)).flat().join("\n");
      }),
    );
    return Object.fromEntries(sealed.map((place, i) => [place, texts[i]!]));
  };
  const expectReadable = async (store: Store) => {
    expect((await loadBucket(store, "b")).settings).toMatchObject({ password: SECRET });
    expect((await loadHook(store, { model: "m", name: "h" })).config).toMatchObject({ secret: SECRET });
    expect((await loadHook(store, { model: null, name: "g" })).config).toMatchObject({ secret: SECRET });
    expect((await loadScheduledJob(store, "j")).definition).toMatchObject({ params: { token: SECRET } });
    const due = await listDue(store, { at: 1e15, limit: 9, retries: false });
    expect(due.map(({ config }) => config.secret)).toEqual(due.map(() => SECRET));
    expect(due.length).toBeGreaterThan(1);
  };

  test("seals every secret; a server needs it, and reads all", async () => {
    const { keyId, rows: count } = await reseal();
    expect(count).toBe(6);
    expect(await messageOf(open(before))).toMatch(
      new RegExp(`sealed with the key ${keyId}, and TORUS_KEY holds another one .*torus reseal$`),
    );
    const store = await open(after);
    await expectReadable(store);
    for (const [place, text] of Object.entries(await textsOf(store))) {
      expect([place, text]).toEqual([place, expect.stringContaining(`sealed:1:${keyId}:`)]);
      expect(new Set([...text.matchAll(/sealed:1:([0-9a-f]{8})/g)].map(([, id]) => id))).toEqual(
        new Set([keyId]),
      );
      expect(text).not.toContain(SECRET);
    }
    await store.close();
  });

  test("also seals what a later version calls secret", async () => {
    const all: SecretsOf = (table) => [...secretsOf(table, ""), "url"];
    await reseal({ secretsOf: all });
    const store = await open(after);
    expect((await textsOf(store))["hooks.config"]).not.toContain("http://h");
    await store.close();
  });

  test("seals many rows, in several statements", async () => {
    const connection = await Connection.open(url, schema);
    const copy =
      "insert into outbox (id, model, hook, is_global, kind, state, created_at, next_at, event, config)";
    await connection.run(
      `${copy} select id || n, model, hook, is_global, kind, state, created_at, next_at, event, config from outbox, generate_series(1, 1200) n`,
    );
    await connection.close();
    const { rows: count } = await reseal();
    expect(count).toBeGreaterThan(2400);
    const store = await open(after);
    const left =
      "select count(*) from outbox where config not like '%sealed:1:' || (select value from meta where key = 'seal_key') || '%'";
    expect(await rows(store, left)).toEqual([[0]]);
    await store.close();
  });

  test("is refused where the one before it is another, or the same; nothing changes", async () => {
    expect(await messageOf(reseal({ previous: other }))).toMatch(
      /are sealed with the key [0-9a-f]{8}, and storage\.previous_key_file holds another one \([0-9a-f]{8}\): nothing was changed/,
    );
    expect(await messageOf(reseal({ key: before }))).toContain("with the new key");
    const store = await open(before);
    await expectReadable(store);
    await store.close();
    await reseal();
    expect(await messageOf(reseal())).toContain("already: nothing was changed");
  });

  test("is refused while a server works with the database", async () => {
    const store = await open(before);
    await joinNode(store, aNode({ host: hostname() }), {
      leaseMs: 60_000,
      kindsWithFiles: [],
      at: Date.now(),
    });
    expect(await messageOf(reseal())).toContain(`in use by the server on ${hostname()}: stop it`);
    await expectReadable(store);
    await leaveNodes(store.session, "n1");
    await store.close();
    await reseal();
  });

  test("that breaks on the way changes nothing", async () => {
    const connection = await Connection.open(url, schema);
    await connection.run(
      "create function broken() returns trigger language plpgsql as $$ begin raise exception 'broken on purpose'; end $$; create trigger broken before update on outbox for each row execute function broken()",
    );
    expect(await messageOf(reseal())).toContain("broken on purpose");
    await connection.run("drop trigger broken on outbox");
    await connection.close();
    const store = await open(before);
    await expectReadable(store);
    await store.close();
  });
});
