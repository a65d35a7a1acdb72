// Commands migrate-state and reseal against a real PostgreSQL: settings, output, refusals.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { secretsOf } from "../../../../src/app/security.ts";
import { loadBucket, putBucket } from "../../../../src/store/buckets.ts";
import { openStore } from "../../../../src/store/db/open.ts";
import { openPostgres } from "../../../../src/store/postgres/open.ts";
import { aBucket } from "../../../support/builders.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { owner, type Postgres, postgresMissing, startPostgres } from "../../../support/postgres.ts";
import { isServerRequired } from "../../../support/spawned.ts";
import { run } from "../../fake-terminal.ts";

const SETUP_MS = 60_000;
const keyOf = (fill: number) => Buffer.alloc(32, fill);
const SECRET = "m4rk3r-S3cret";
const dir = temporaryFolder();
const oldKey = join(dir, "old.key");
writeFileSync(oldKey, keyOf(1).toString("base64"));
const key = { TORUS_KEY: keyOf(2).toString("base64") };
const address = "postgres://torus@127.0.0.1:1/torus";

test.each([
  ["migrate-state", key, /^torus: --to: needs a database: set storage\.url in the settings, as in postgres:/],
  ["migrate-state --to ./d", key, /^torus: --to: needs a database/],
  ["migrate-state --to mysql://h/d", key, /^torus: --to: must be a directory, or an address as in postgres:/],
  [
    `migrate-state --to 'postgres://u:\${PW}@h/d'`,
    key,
    /^torus: --to: the environment variable PW is not set\n$/,
  ],
  [
    `migrate-state --to ${address}`,
    {},
    /^torus: storage\.key_file: is required .* its torus\.key\), or set TORUS_KEY/,
  ],
  ["migrate-state --config none.yml", key, /^torus: none\.yml: does not exist/],
  ["reseal", key, /^torus: storage\.url: needs a database/],
  [
    "reseal",
    { ...key, TORUS_STORAGE_URL: address },
    /^torus: storage\.previous_key_file: is required: the file with the key that is in use\n$/,
  ],
])("%s is wrong use where the settings do not suffice", async (line, env, message) => {
  const ended = await run(`${line} --data-dir ${dir}/none`, { env });
  expect(ended.err).toMatch(message);
  expect([ended.code, ended.out]).toEqual([2, ""]);
});

test.each([
  [`migrate-state --to ${address}`, /^torus: the data directory .*\/none holds no torus\.db\n$/],
  ["reseal", /^torus: the database of storage\.url cannot be opened: \S+ does not answer\n$/],
])("%s fails where the state cannot be reached", async (line, message) => {
  const env = { ...key, TORUS_STORAGE_URL: address, TORUS_STORAGE_PREVIOUS_KEY_FILE: oldKey };
  const ended = await run(`${line} --data-dir ${dir}/none`, { env });
  expect(ended.err).toMatch(message);
  expect([ended.code, ended.out]).toEqual([1, ""]);
});

test("check refuses a directory that holds no state: nothing damaged would be said of a mistyped one", async () => {
  const gone = await run(`check --data-dir ${dir}/none`);
  expect([gone.code, gone.out]).toEqual([2, ""]);
  expect(gone.err).toMatch(/^torus: .*\/none: does not exist: name the one to check with --data-dir/);
  const empty = temporaryFolder();
  const other = await run(`check --data-dir ${empty}`);
  expect([other.code, other.err]).toEqual([2, expect.stringContaining("is no data directory of a server")]);
  const shared = { ...key, TORUS_STORAGE_URL: address };
  expect((await run(`check --data-dir ${empty}`, { env: shared })).code).toBe(0);
  mkdirSync(join(empty, "buckets"));
  const copied = await run(`check --data-dir ${empty}`);
  expect([copied.code, copied.err]).toEqual([0, "no files of buckets\n"]);
});

if (postgresMissing) console.log(postgresMissing);

describe.skipIf(postgresMissing !== undefined && !isServerRequired)("with a database", () => {
  let postgres: Postgres;
  let url: string;
  const config = join(dir, "torus.yml");

  beforeAll(async () => {
    postgres = await startPostgres();
    url = `postgres://${owner.user}:${owner.password}@${postgres.addr}/${postgres.database}`;
    const storage = [
      `path: ${dir}/data`,
      `url: "${url.replace(owner.password, `\${PG_PASSWORD}`)}"`,
      `key_file: ${oldKey}`,
    ];
    writeFileSync(config, `storage:\n${storage.map((line) => `  ${line}\n`).join("")}`);
    const store = openStore({ dir: join(dir, "data"), sealing: { key: keyOf(1), secretsOf } });
    const settings = aBucket({ type: "influxdb", password: SECRET });
    await putBucket(store, { name: "b", kind: "influxdb", settings }, 1);
    store.close();
  }, SETUP_MS);
  afterAll(() => postgres?.stop());

  test("the state is moved by the settings alone; a table shows what, notes the next step", async () => {
    const ended = await run(`migrate-state --config ${config}`, { env: { PG_PASSWORD: owner.password } });
    expect(ended).toEqual({
      code: 0,
      out: "TABLE    ROWS\nbuckets     1\nmeta        1\n",
      // Lines of progress come before it where it takes longer than a moment.
      err: expect.stringMatching(
        /^the database of the data directory is left as .*\/data\/torus\.db\.migrated-\d+T\d+Z\nnext: set storage\.url/m,
      ),
    });
  });

  test("the key is changed; a server with the new one reads the secrets", async () => {
    const env = { PG_PASSWORD: owner.password, TORUS_STORAGE_PREVIOUS_KEY_FILE: oldKey, ...key };
    const ended = await run(`reseal --config ${config}`, { env });
    expect(ended).toEqual({
      code: 0,
      out: "",
      err: expect.stringMatching(
        /^rows sealed with the key [0-9a-f]{8}: 1; next: start the server without storage\.previous_key_file\n$/,
      ),
    });
    const open = (fill: number) => openPostgres({ url, dir, sealing: { key: keyOf(fill), secretsOf } });
    await expect(open(1)).rejects.toThrow("sealed with the key");
    const store = await open(2);
    expect((await loadBucket(store, "b")).settings).toMatchObject({ password: SECRET });
    await store.close();
  });

  test("the state is moved back, as JSON", async () => {
    const env = { PG_PASSWORD: owner.password, ...key };
    const ended = await run(`migrate-state --config ${config} --to ${dir}/back --json`, { env });
    expect(ended.code).toBe(0);
    expect(JSON.parse(ended.out)).toEqual([
      { table: "buckets", rows: 1 },
      { table: "meta", rows: 1 },
    ]);
    const store = openStore({ dir: join(dir, "back"), sealing: { key: keyOf(2), secretsOf } });
    expect((await loadBucket(store, "b")).settings).toMatchObject({ password: SECRET });
    store.close();
  });
});
