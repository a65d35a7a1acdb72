// Transfer of a whole state between SQLite and a real PostgreSQL: the same rows and bytes, or nothing at all.

import { Database } from "bun:sqlite";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync, renameSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { loadBucket } from "../../../src/store/buckets.ts";
import { openStore, type Store } from "../../../src/store/db/open.ts";
import { submitJobs } from "../../../src/store/jobs/jobs.ts";
import { Connection } from "../../../src/store/postgres/connection.ts";
import { openTarget } from "../../../src/store/postgres/exclusive.ts";
import { joinNode } from "../../../src/store/postgres/join.ts";
import { leaveNodes } from "../../../src/store/postgres/nodes.ts";
import { openPostgres, type SharedStore } from "../../../src/store/postgres/open.ts";
import type { Sealing } from "../../../src/store/secrets/rotate.ts";
import { stateTables } from "../../../src/store/transfer/tables.ts";
import {
  type TransferOptions,
  transferToDirectory,
  transferToPostgres,
} from "../../../src/store/transfer/transfer.ts";
import { loadVersion } from "../../../src/store/versions.ts";
import { aNode } from "../../support/builders.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { owner, type Postgres, postgresMissing, startPostgres } from "../../support/postgres.ts";
import { isServerRequired } from "../../support/spawned.ts";
import { rows } from "../temporary.ts";
import { fillState, SECRET } from "./full-state.ts";

const SETUP_MS = 60_000;
const key = Buffer.alloc(32, 1);
const secretsOf: Sealing["secretsOf"] = (table) => (table === "buckets" ? ["password"] : ["secret"]);
const sealing = { key, secretsOf };
const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);

if (postgresMissing) console.log(postgresMissing);

describe.skipIf(postgresMissing !== undefined && !isServerRequired)("a transfer", () => {
  let postgres: Postgres;
  let url: string;
  let schema: string;
  let dir: string;

  beforeAll(async () => {
    postgres = await startPostgres();
    url = `postgres://${owner.user}:${owner.password}@${postgres.addr}/${postgres.database}`;
  }, SETUP_MS);
  afterAll(() => postgres?.stop());
  beforeEach(() => {
    schema = `test_${crypto.randomUUID().replaceAll("-", "")}`;
    dir = join(temporaryFolder(), crypto.randomUUID());
  });

  const optionsFor = (own: Partial<TransferOptions> = {}): TransferOptions => ({
    ...{ dir, postgres: { url, schema }, sealing, fileKinds: [], onProgress: () => {}, now: NOW },
    ...own,
  });
  const toPostgres = (own?: Partial<TransferOptions>) => transferToPostgres(optionsFor(own));
  const toDirectory = (own?: Partial<TransferOptions>) => transferToDirectory(optionsFor(own));
  const openFile = (at = dir) => openStore({ dir: at, sealing });
  const openShared = () => openPostgres({ url, schema, dir: temporaryFolder(), sealing });
  /** Fills the data directory. */
  const fill = async () => {
    const store = openFile();
    await fillState(store);
    const state = await readState(store);
    store.close();
    return state;
  };
  const run = async (statements: string) => {
    const connection = await Connection.open(url, schema);
    await connection.run(statements);
    await connection.close();
  };
  const messageOf = (work: Promise<unknown>) =>
    work.then(
      () => "nothing thrown",
      (error) => String(error.message),
    );
  /** Neither side has changed: the file is whole, and a transfer to it works. */
  const expectUntouched = async (before: string) => {
    const store = openFile();
    expect(await readState(store)).toBe(before);
    store.close();
  };

  test("takes every table, byte for byte, in both directions; numbers of removed rows are not given again", async () => {
    const before = await fill();
    const { tables, left } = await toPostgres();
    // A table without rows here would not be tested.
    expect(tables.filter((table) => table.rows === 0)).toEqual([]);
    expect(left).toBe(join(dir, "torus.db.migrated-20260102T030405Z"));
    expect(readdirSync(dir)).toEqual(["torus.db.migrated-20260102T030405Z"]);

    const shared = await openShared();
    expect(await readState(shared)).toBe(before);
    expect((await loadBucket(shared, "b")).settings).toMatchObject({ password: SECRET });
    const { weights } = await loadVersion(shared, "m", "00");
    expect([...weights]).toEqual([
      1,
      -0,
      Number.NaN,
      Infinity,
      -Infinity,
      Math.fround(1e-45),
      Math.fround(3.4e38),
    ]);
    expect(await submit(shared, "next")).toBe(7);
    const insert = sql.raw("insert into fit_sets (is_staged) values (0) returning id");
    expect(await shared.engine.write((db) => db.values(insert))).toEqual([[3]]);
    const between = await readState(shared);
    await shared.close();

    const back = join(dir, "back");
    await toDirectory({ dir: back });
    expect(readdirSync(back)).toEqual(["torus.db"]);
    const again = openFile(back);
    expect(await readState(again)).toBe(between);
    expect((await loadBucket(again, "b")).settings).toMatchObject({ password: SECRET });
    expect(await submit(again, "later")).toBe(8);
    again.close();
  });

  test("tells how far it is", async () => {
    await fill();
    const seen: { table: string; done: number; total: number }[] = [];
    const { tables } = await toPostgres({ onProgress: (progress) => seen.push(progress) });
    const total = tables.reduce((sum, table) => sum + table.rows, 0);
    expect(seen.at(-1)).toMatchObject({ done: total, total });
    expect(seen.map(({ done }) => done)).toEqual(seen.map(({ done }) => done).toSorted((a, b) => a - b));
  });

  test("that breaks undoes all, and runs again", async () => {
    const before = await fill();
    await (await openShared()).close();
    const broken = "language plpgsql as $$ begin raise exception 'broken on purpose'; end $$";
    await run(
      `create function broken() returns trigger ${broken}; create trigger broken before insert on labels for each row execute function broken()`,
    );
    expect(await messageOf(toPostgres())).toContain("broken on purpose");
    await expectUntouched(before);
    await run("drop trigger broken on labels");
    await toPostgres();
    await toDirectory({ dir: join(dir, "back") });
  });

  test.each([
    ["rows", "models", "return null", /differs from its source \(0 of 2 rows of models\)/],
    [
      "weights",
      "versions",
      "new.weights := '\\x00'::bytea; return new",
      /differs from its source \(the weights of version 0 of model k\)/,
    ],
  ])("whose copy has other %s is not committed", async (_what, table, change, message) => {
    await fill();
    await (await openShared()).close();
    // Rows that refer to models would be refused before.
    await run(
      `alter table versions drop constraint versions_model_fkey; create function change() returns trigger language plpgsql as $$ begin ${change}; end $$; create trigger change before insert on ${table} for each row execute function change()`,
    );
    const others = stateTables.filter(({ name }) => !["meta", "models", "versions"].includes(name));
    const store = openFile();
    for (const { name } of others.toReversed()) store.sqlite.run(`delete from ${name}`);
    store.close();
    expect(await messageOf(toPostgres())).toMatch(message);
    expect(readdirSync(dir)).toEqual(["torus.db"]);
  });

  test("that ended between commit and renaming is completed by the next run", async () => {
    await fill();
    const { tables, left } = await toPostgres();
    renameSync(left!, join(dir, "torus.db"));
    expect(await toPostgres()).toEqual({ tables, left: left! });
    // One changed setting makes it another state.
    renameSync(left!, join(dir, "torus.db"));
    const store = openFile();
    store.sqlite.run("update models set updated_at = updated_at + 1 where name = 'k'");
    store.close();
    expect(await messageOf(toPostgres())).toContain(
      "the database holds a state already (1 bin, 3 bin rows, 1 bucket, 2 models, 1 budget, 1 calendar, and more)",
    );
    expect(readdirSync(dir)).toEqual(["torus.db"]);
  });

  test("is refused by a database with another state, naming it", async () => {
    const before = await fill();
    const shared = await openShared();
    await submit(shared, "other");
    await shared.close();
    expect(await messageOf(toPostgres())).toBe(
      "the database holds a state already (1 job): name an empty one, or drop its schema",
    );
    await expectUntouched(before);
  });

  test("is refused while a server works with either side", async () => {
    const before = await fill();
    const beAlive = (node: SharedStore) =>
      joinNode(node, aNode({ host: hostname() }), { leaseMs: 60_000, kindsWithFiles: [], at: Date.now() });
    const shared = await openShared();
    await beAlive(shared);
    expect(await messageOf(toPostgres())).toContain(`the database is in use by the server on ${hostname()}`);
    await leaveNodes(shared.session, "n1");
    await shared.close();
    const store = openFile();
    expect(await messageOf(toPostgres())).toContain(`the data directory ${dir} is in use by another server`);
    store.close();
    await expectUntouched(before);
    await toPostgres();
    const server = await openShared();
    await beAlive(server);
    expect(await messageOf(toDirectory())).toContain("the database is in use by the server on");
    await server.close();
  });

  test("waits for a command that is about to end, and is refused beside one that works", async () => {
    await fill();
    const other = await openTarget({ url, schema });
    expect(await messageOf(toPostgres())).toContain("the database is in use by another command: stop it");
    const transfer = toPostgres();
    const waiting = "select count(*)::int from pg_locks where locktype = 'advisory' and not granted";
    while ((await other.query(waiting))[0]![0] !== 1) await Bun.sleep(10);
    await other.close();
    expect((await transfer).left).toBeDefined();
  });

  test("is refused with another key, or none", async () => {
    await fill();
    writeFileSync(join(dir, "torus.key"), key.toString("base64"));
    const other = await messageOf(toPostgres({ sealing: { key: Buffer.alloc(32, 2) } }));
    expect(other).toMatch(
      /are sealed with the key [0-9a-f]{8}, and TORUS_KEY holds another one \([0-9a-f]{8}\): name its file in storage\.key_file \(.*\/torus\.key\)$/,
    );
    expect(await messageOf(toPostgres({ sealing: {} }))).toContain("and no key is given");
    expect((await toPostgres({ sealing: { file: join(dir, "torus.key") } })).left).toBeDefined();
  });

  test("is refused for secrets that are not sealed", async () => {
    openStore({ dir }).close();
    expect(await messageOf(toPostgres())).toContain("are not sealed yet: start this version");
  });

  test("is refused where points stay behind, naming the buckets", async () => {
    await fill();
    const message = await messageOf(toPostgres({ fileKinds: ["influxdb"] }));
    expect(message).toContain("the points of the buckets b are files of a data directory");
    expect(message).toContain("--without-local");
    await toPostgres();
    const back = join(dir, "back");
    expect(await messageOf(toDirectory({ dir: back, fileKinds: ["influxdb"] }))).toContain("--without-local");
    expect(readdirSync(dir)).not.toContain("back");
  });

  test("is refused for a directory without a database, or to one that has one", async () => {
    expect(await messageOf(toPostgres())).toBe(`the data directory ${dir} holds no torus.db`);
    await fill();
    await toPostgres();
    const taken = join(dir, "taken");
    openStore({ dir: taken }).close();
    expect(await messageOf(toDirectory({ dir: taken }))).toContain("holds a database already (torus.db)");
  });

  test("back to the same directory takes the place of the file; before, a start on it names the database", async () => {
    const before = await fill();
    const { left } = await toPostgres();
    expect(() => openFile()).toThrow(/was moved to PostgreSQL \(torus\.db\.migrated-.*\): set storage\.url/);
    await toDirectory();
    await expectUntouched(before);
    expect(readdirSync(dir).sort()).toEqual(["torus.db", left!.slice(dir.length + 1)]);
  });

  test("finds what an interrupted one has left, and begins anew", async () => {
    const before = await fill();
    await toPostgres();
    const back = join(dir, "back");
    const part = openStore({ dir: join(back, "torus.db.migrating"), sealing });
    await fillState(part);
    part.close();
    await toDirectory({ dir: back });
    const again = openFile(back);
    expect(await readState(again)).toBe(before);
    again.close();
  });

  test("is refused for a database of another version on either side", async () => {
    await fill();
    for (const [by, message] of [
      [1, "was written by a newer version"],
      [-2, "is of an older version of the server: start this version on it once"],
      [1, "nothing thrown"],
    ] as const) {
      const sqlite = new Database(join(dir, "torus.db"));
      sqlite.run(
        "update __drizzle_migrations set created_at = created_at + ? where rowid = (select max(rowid) from __drizzle_migrations)",
        [by],
      );
      sqlite.close(true);
      expect(await messageOf(toPostgres())).toContain(message);
    }
    const back = { dir: join(dir, "back") };
    for (const [name, message] of [
      ["9999_later", "was written by a newer version of the server (migration 9999_later): use that version"],
      ["0000_a", "is of an older version of the server (migration 0000_a): start this version on it once"],
    ] as const) {
      await run(
        `delete from torus_migrations; insert into torus_migrations (name, hash) values ('${name}', '')`,
      );
      expect(await messageOf(toDirectory(back))).toContain(message);
    }
  });

  test("is refused for a database without a state, which stays empty, and one that is not reachable", async () => {
    expect(await messageOf(toDirectory())).toBe("the database of storage.url holds no state");
    const connection = postgres.connect();
    expect(await connection`select 1 from pg_namespace where nspname = ${schema}`).toHaveLength(0);
    await connection.close();
    await fill();
    const refused = await messageOf(toPostgres({ postgres: { url: "postgres://a:pw@127.0.0.1:1/x" } }));
    expect(refused).toBe("the database of storage.url cannot be opened: 127.0.0.1:1 does not answer");
  });
});

/** @returns number of the job */
async function submit(store: Store, id: string): Promise<number> {
  await submitJobs(store, [{ id, type: "read", model: null, input: {} }], { at: 10, maxWaiting: 10 });
  return (await rows(store, `select seq from jobs where id = '${id}'`))[0]![0] as number;
}

/** Every value of every table, bytes in hexadecimal digits. */
async function readState(store: Store): Promise<string> {
  const state: Record<string, unknown[][]> = {};
  for (const { name, columns, key: names, where } of stateTables)
    state[name] = await rows(
      store,
      `select ${columns.map((column) => `"${column}"`).join(", ")} from ${name} where ${where} order by ${names.join(", ")}`,
    );
  return JSON.stringify(state, (_, value) =>
    value instanceof Uint8Array || value?.type === "Buffer"
      ? Buffer.from(value.data ?? value).toString("hex")
      : value,
  );
}
