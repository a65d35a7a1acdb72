// A fleet in a table of a real PostgreSQL: 50 hosts are trained and watched, one goes odd.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Client, createClient } from "../../src/cli/client/client.ts";
import { temporaryFolder } from "../support/folder.ts";
import { owner, type Postgres, postgresMissing, startPostgres } from "../support/postgres.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";
import { isServerRequired } from "../support/spawned.ts";

const SETUP_MS = 60_000;
const TEST_MS = 180_000;
const POLL_MS = 50;
const WRITE_EVERY_MS = 500;
const HISTORY_S = 200;
const HOSTS = 50;
const ODD = 98_765;

if (postgresMissing) console.log(postgresMissing);

describe.skipIf(postgresMissing !== undefined && !isServerRequired)("a fleet in PostgreSQL", () => {
  let postgres: Postgres;
  let sql: Bun.SQL;
  let server: ServerProcess;
  let client: Client;
  let writer: Timer | undefined;
  /** The host that is not as usual. */
  let odd: number | undefined;

  const insert = async (fromS: number, toS: number) => {
    await sql.unsafe(`insert into cpu select to_timestamp(at), 'h' || host,
      case when host = ${odd ?? -1} then ${ODD} else 10 + host + sin(at / 9.0) + (at::bigint * (host + 7) % 11) / 20.0 end
      from generate_series(${fromS}, ${toS}) at, generate_series(0, ${HOSTS - 1}) host`);
  };
  const nowS = () => Math.floor(Date.now() / 1000);
  const counts = async () => {
    const [model] = await client.call<{ state: { series?: Record<string, number> } }[]>("GET /models/fleet");
    return model!.state.series ?? {};
  };
  const until = async (isReached: () => Promise<boolean>) => {
    while (!(await isReached())) await Bun.sleep(POLL_MS);
  };

  beforeAll(async () => {
    postgres = await startPostgres();
    sql = postgres.connect();
    await sql.unsafe("create table cpu (at timestamptz, host text, usage double precision)");
    const endS = nowS();
    await insert(endS - HISTORY_S, endS);
    let writtenS = endS;
    writer = setInterval(() => {
      const atS = nowS();
      if (atS === writtenS) return;
      void insert(writtenS + 1, atS);
      writtenS = atS;
    }, WRITE_EVERY_MS);
    server = await startServer({ dataDir: temporaryFolder(), env: { TORUS_TRAINING_STEPS: "60" } });
    client = createClient({ baseUrl: server.url, sleep: (ms) => Bun.sleep(Math.min(ms, POLL_MS)) });
    const table = { addr: postgres.addr, database: postgres.database, table: "cpu", time_column: "at" };
    await client.putBucket({ name: "b", type: "postgres", ...owner, ...table });
    await client.createModel({
      name: "fleet",
      type: "donut",
      default_bucket: "b",
      bucket_interval: "1s",
      offset: "1s",
      group_by: ["host"],
      span: 12,
      max_evals: 1,
      max_threshold: 30,
      min_threshold: 15,
      features: [{ name: "usage", metric: "avg", field: "usage" }],
    });
    await client.waitForJob(await client.train("fleet", { from: endS - HISTORY_S, to: endS, seed: 1 }));
    await client.call("POST /models/fleet/_start", { query: { detect_anomalies: true }, status: 204 });
  }, SETUP_MS);
  afterAll(async () => {
    clearInterval(writer);
    await server?.kill();
    await sql?.close({ timeout: 0 });
    await postgres?.stop();
  });

  test(
    "every host is watched",
    async () => {
      await until(async () => (await counts()).watched === HOSTS);
      expect(await counts()).toMatchObject({ watched: HOSTS, failed: 0 });
    },
    TEST_MS,
  );

  test(
    "a host that goes odd is an anomaly of that host",
    async () => {
      odd = 7;
      const anomalies = () => client.call<object[]>("GET /models/fleet/anomalies?series=host:h7");
      const isOdd = (anomaly: object) => JSON.stringify(anomaly).includes(`:${ODD}`);
      await until(async () => (await anomalies()).some(isOdd));
      expect((await anomalies()).find(isOdd)).toMatchObject({ series: { host: "h7" } });
      expect((await counts()).failed).toBe(0);
    },
    TEST_MS,
  );
});
