// The database on a real PostgreSQL: its tables are those of SQLite, one server holds it, outages end, conflicts repeat.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { eq, getTableColumns, getTableName, is, sql } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { shardOf } from "../../../src/core/ownership.ts";
import type { Db } from "../../../src/store/db/database.ts";
import type { Store } from "../../../src/store/db/open.ts";
import * as schema from "../../../src/store/db/schema.ts";
import { meta } from "../../../src/store/db/schema.ts";
import { Connection } from "../../../src/store/postgres/connection.ts";
import { migrate, migrations } from "../../../src/store/postgres/migrations.ts";
import { openPostgres } from "../../../src/store/postgres/open.ts";
import { makeCertificate } from "../../support/certificate.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { owner, type Postgres, postgresMissing, startPostgres } from "../../support/postgres.ts";
import { isServerRequired } from "../../support/spawned.ts";
import { codeOf } from "../temporary.ts";

const SETUP_MS = 60_000;
const types: Readonly<Record<string, string>> = {
  SQLiteInteger: "bigint",
  SQLiteBoolean: "smallint",
  SQLiteText: "text",
  SQLiteTextJson: "text",
  SQLiteReal: "double precision",
  SQLiteBlobBuffer: "bytea",
};

if (postgresMissing) console.log(postgresMissing);

describe.skipIf(postgresMissing !== undefined && !isServerRequired)("a database", () => {
  let postgres: Postgres;
  let url: string;
  const open = (own: Partial<Parameters<typeof openPostgres>[0]> = {}) =>
    openPostgres({ url, dir: temporaryFolder(), ...own });
  const readValue = (store: Store, key: string) =>
    store.engine.read(async (db) => (await db.select().from(meta).where(eq(meta.key, key)).get())?.value);
  const put = (store: Store, key: string, value: string) =>
    store.engine.write(async (db) => {
      await db
        .insert(meta)
        .values({ key, value })
        .onConflictDoUpdate({ target: meta.key, set: { value } })
        .run();
    });

  beforeAll(async () => {
    postgres = await startPostgres({ tls: makeCertificate() });
    url = `postgres://${owner.user}:${owner.password}@${postgres.addr}/${postgres.database}`;
  }, SETUP_MS);
  afterAll(() => postgres?.stop());

  test("has the tables of SQLite, column by column", async () => {
    const store = await open({ schema: "tables" });
    const found = (await store.engine.read((db) =>
      db.values(
        "select table_name, column_name, data_type, is_nullable from information_schema.columns where table_schema = 'tables'" as never,
      ),
    )) as [string, string, string, string][];
    const wanted = Object.values(schema).flatMap((table) =>
      is(table, SQLiteTable)
        ? Object.values(getTableColumns(table)).map((column) => [
            getTableName(table),
            column.name,
            types[column.columnType],
            column.notNull || column.primary ? "NO" : "YES",
          ])
        : [],
    );
    const shared = ["torus_migrations", "nodes", "shards", "changes"];
    const own = found.filter(
      ([table, column]) => !shared.includes(table) && column !== "rowid" && column !== "shard",
    );
    expect(own.map((row) => row.join(" ")).sort()).toEqual(wanted.map((row) => row.join(" ")).sort());
    await store.close();
  });

  describe("at a start while it restarts", () => {
    test("is waited for, which is said once, and is then opened", async () => {
      const waits = Promise.withResolvers<void>();
      let said = 0;
      const onWait = () => {
        said++;
        waits.resolve();
      };
      await postgres.crash();
      const opening = open({ schema: "restarts", waitMs: SETUP_MS, onWait });
      await waits.promise;
      await postgres.resume();
      const store = await opening;
      await put(store, "k", "v");
      expect([await readValue(store, "k"), said]).toEqual(["v", 1]);
      await store.close();
    });

    test("a restart in the midst of its migrations is waited for as well", async () => {
      const session = postgres.connect();
      await session.unsafe("select pg_advisory_lock(hashtext('torus migrations'))");
      const waits = Promise.withResolvers<void>();
      const opening = open({ schema: "midst", waitMs: SETUP_MS, onWait: () => waits.resolve() });
      const blocked = "select count(*) from pg_locks where locktype = 'advisory' and not granted";
      while (Number((await session.unsafe(blocked).values())[0][0]) === 0) await Bun.sleep(5);
      await postgres.crash();
      await waits.promise;
      await postgres.resume();
      await (await opening).close();
      await session.close({ timeout: 0 });
    });

    test("without waiting, or after the wait, the start fails and says that it does not answer", async () => {
      await postgres.crash();
      const reason = `the database of storage.url cannot be opened: ${postgres.addr} does not answer`;
      await expect(open({ schema: "never" })).rejects.toThrow(reason);
      await expect(open({ schema: "never", waitMs: 1 })).rejects.toThrow(reason);
      await postgres.resume();
    });

    test("a refusal is not waited for", async () => {
      let said = 0;
      const wrong = url.replace(owner.password, "wrong");
      const opening = openPostgres({
        url: wrong,
        dir: temporaryFolder(),
        waitMs: SETUP_MS,
        onWait: () => said++,
      });
      await expect(opening).rejects.toThrow("cannot be opened");
      expect(said).toBe(0);
    });
  });

  test("is opened again, with what was written", async () => {
    const first = await open({ schema: "again" });
    await put(first, "k", "a\0b");
    await first.close();
    const second = await open({ schema: "again" });
    // PostgreSQL has no NUL in texts.
    expect(await readValue(second, "k")).toBe("ab");
    await second.close();
  });

  test("has the tables of nodes, and the same shards as the program", async () => {
    const store = await open({ schema: "shards" });
    const names = ["", "m", "cpu", "Größe", "模型", "a".repeat(128)];
    const computed = await store.engine.read((db) =>
      Promise.all(names.map(async (name) => (await db.values(sql`select shard_of(${name})`))[0])),
    );
    expect(computed).toEqual(names.map((name) => [shardOf(name)]));
    await store.close();
  });

  test("is shared: each server reads what the other one has written", async () => {
    const [first, second] = [await open({ schema: "both" }), await open({ schema: "both" })];
    await put(first, "k", "1");
    expect(await readValue(second, "k")).toBe("1");
    await put(second, "k", "2");
    expect(await readValue(first, "k")).toBe("2");
    await Promise.all([first.close(), second.close()]);
  });

  test("is made once by servers that start at the same moment", async () => {
    const files = readdirSync(join(import.meta.dir, "../../../drizzle/postgres"));
    for (const count of [3, 8]) {
      const name = `start_${count}`;
      const stores = await Promise.all(Array.from({ length: count }, () => open({ schema: name, size: 1 })));
      const applied = await stores[0]!.engine.read((db) =>
        db.values(
          sql`select count(*), count(distinct name), count(distinct applied_at) from torus_migrations`,
        ),
      );
      expect(applied).toEqual([[files.length, files.length, 1]]);
      for (const [i, store] of stores.entries()) await put(store, `k${i}`, String(i));
      expect(await readValue(stores[0]!, `k${count - 1}`)).toBe(String(count - 1));
      await Promise.all(stores.map((store) => store.close()));
    }
  });

  test("of another cluster is refused, and a data directory in use", async () => {
    const dir = temporaryFolder();
    const first = await openPostgres({ url, dir, schema: "named", clusterName: "a" });
    await expect(
      openPostgres({ url, dir: temporaryFolder(), schema: "named", clusterName: "b" }),
    ).rejects.toThrow("holds the cluster a, and cluster.name is b: set that name, or use another database");
    await expect(openPostgres({ url, dir, schema: "named", clusterName: "a" })).rejects.toThrow(
      `the data directory ${dir} is in use by another server: stop it`,
    );
    await first.close();
    await (await openPostgres({ url, dir, schema: "named", clusterName: "a" })).close();
  });

  test("whose user may not make a schema is refused with the way out", async () => {
    await postgres.run("create role poor login password 'MARKER-poor'");
    const poor = url.replace(`${owner.user}:${owner.password}`, "poor:MARKER-poor");
    const refusal = await openPostgres({ url: poor, dir: temporaryFolder(), schema: "none" }).catch(
      (error) => error.message,
    );
    expect(refusal).toContain("permission denied for database postgres: grant its user CREATE");
    expect(refusal).not.toContain("MARKER");
  });

  test("whose session ends within a write takes no part of it", async () => {
    const store = await open({ schema: "cut" });
    const insert = (db: Db, key: string) => db.insert(meta).values({ key, value: "1" }).run();
    const cut = store.engine.write(async (db) => {
      await insert(db, "before");
      const [[pid]] = (await db.values("select pg_backend_pid()" as never)) as [[number]];
      await postgres.run(`select pg_terminate_backend(${pid})`);
      // The first statement finds the session gone; a second one must not begin another.
      await insert(db, "at once").catch(() => {});
      await insert(db, "after");
    });
    expect(await codeOf(cut)).toBe("storage_unavailable");
    expect(await Promise.all(["before", "at once", "after"].map((key) => readValue(store, key)))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    await put(store, "after", "2");
    expect(await readValue(store, "after")).toBe("2");
    await store.close();
  });

  test("that conflicts with another session is tried again", async () => {
    const store = await open({ schema: "conflict" });
    await put(store, "n", "0");
    const other = await Connection.open(url, "conflict");
    let attempts = 0;
    await store.engine.write(async (db) => {
      attempts++;
      const row = await db.select().from(meta).where(eq(meta.key, "n")).get();
      if (attempts === 1) await other.run("update meta set value = '10' where key = 'n'");
      const value = String(Number(row!.value) + 1);
      await db.update(meta).set({ value }).where(eq(meta.key, "n")).run();
    });
    expect(attempts).toBe(2);
    expect(await readValue(store, "n")).toBe("11");
    await other.close();
    await store.close();
  });

  test("many reads share few connections, and a throw undoes a write", async () => {
    const store = await open({ schema: "pool", size: 2 });
    await put(store, "k", "1");
    expect(await Promise.all(Array.from({ length: 50 }, () => readValue(store, "k")))).toEqual(
      Array(50).fill("1"),
    );
    const failing = store.engine.write(async (db) => {
      await db.update(meta).set({ value: "2" }).where(eq(meta.key, "k")).run();
      throw new Error("in the middle");
    });
    await expect(failing).rejects.toThrow("in the middle");
    expect(await readValue(store, "k")).toBe("1");
    await store.close();
  });

  test("that a newer version has added to is used as it is; one with a foreign migration is refused", async () => {
    await (await open({ schema: "newer" })).close();
    await postgres.run(`alter table newer.meta add column extra text;
      insert into newer.torus_migrations (name, hash) values ('9999_later', 'x')`);
    const store = await open({ schema: "newer" });
    await put(store, "k", "1");
    await store.close();
    await postgres.run("update newer.torus_migrations set hash = 'x' where name = '0001_calendars'");
    await expect(open({ schema: "newer" })).rejects.toThrow(
      "written by another version of the server (migration 0001_calendars)",
    );
  });

  test("that this version is too old for is refused", async () => {
    await (await open({ schema: "contracted" })).close();
    await postgres.run("insert into contracted.meta values ('oldest_version', '99.1.0')");
    await expect(open({ schema: "contracted" })).rejects.toThrow("start version 99.1.0 or newer");
  });

  test("is not migrated while a node runs that could not use it then", async () => {
    const schema = "contracting";
    await (await open({ schema })).close();
    await postgres.run(`insert into ${schema}.nodes
      (id, storage, name, host, version, work, settings_hash, started_at, lease_until) values
      ('1', '1', 'a', 'h', '1.9.0', '', '', 0, now() + interval '1 hour')`);
    const next = [
      ...migrations,
      ["9999_next", "insert into meta values ('oldest_version', '2.0.0')"],
    ] as const;
    const connection = await Connection.open(url, schema);
    await expect(migrate(connection, next)).rejects.toThrow(
      "needs version 2.0.0 on every node, and a (1.9.0) would fail: upgrade or stop them first",
    );
    await connection.run("rollback; update nodes set lease_until = now()");
    await migrate(connection, next);
    expect(await connection.query("select max(name) from torus_migrations")).toEqual([["9999_next"]]);
    await connection.close();
  });

  test("speaks TLS; a certificate that nobody vouches for is refused where it is to be verified", async () => {
    const openBy = (mode: string) =>
      openPostgres({ url: `${url}?sslmode=${mode}`, dir: temporaryFolder(), schema: "tls" });
    const store = await openBy("require");
    const query = "select ssl::int from pg_stat_ssl where pid = pg_backend_pid()";
    expect(await store.engine.read((db) => db.values(query as never))).toEqual([[1]]);
    await store.close();
    await expect(openBy("verify-full")).rejects.toThrow("cannot be opened: self signed certificate");
  });

  test("that does not answer is named without its password", async () => {
    const dead = `postgres://${owner.user}:${owner.password}@127.0.0.1:1/x`;
    const refusal = await openPostgres({ url: dead, dir: temporaryFolder() }).catch((error) => error.message);
    expect(refusal).toBe("the database of storage.url cannot be opened: 127.0.0.1:1 does not answer");
    const wrong = url.replace(owner.password, "MARKER-wrong");
    const denied = await openPostgres({ url: wrong, dir: temporaryFolder() }).catch((error) => error.message);
    expect(denied).toContain("cannot be opened: password authentication failed");
    expect(denied).not.toContain("MARKER-wrong");
  });
});
