// World of the command scale.ts: a table of points, and one live model copied thousands of times in the database.
import { owner, type Postgres } from "../support/postgres.ts";
import { query, startAudit, startNode } from "./nodes.ts";

export interface WorldSize {
  readonly models: number;
  readonly intervalS: number;
  /** Donut models; otherwise they are untrained, and evaluations count points. */
  readonly isTrained: boolean;
}

/** Intervals of the training. */
const HISTORY = 2000;
/** Points are there before their time, so that nothing has to write them. */
const AHEAD_S = 10_800;

/** A point per interval, of the past where models are trained on it. */
export async function makeSource(source: Postgres, { intervalS, isTrained }: WorldSize): Promise<void> {
  const past = isTrained ? HISTORY : 1;
  await source.run(`
    create table points as
      select to_timestamp(at) as time, 100 + 40 * sin(at / ${intervalS} / 7) + (at::bigint % 13) / 13.0 as v
      from generate_series((floor(extract(epoch from now()) / ${intervalS}) - ${past}) * ${intervalS},
        extract(epoch from now()) + ${AHEAD_S}, ${intervalS}) as at;
    create index on points (time)`);
}

/** Live models by a node that has stopped, and an audit of their evaluations. */
export async function makeModels(postgres: Postgres, source: Postgres, size: WorldSize): Promise<void> {
  const { intervalS, isTrained } = size;
  const { client, server } = await startNode({ name: "first", addr: postgres.addr });
  await client.putBucket({
    ...{ name: "b", type: "postgres", addr: source.addr, database: "postgres", table: "points" },
    ...{ user: owner.user, password: owner.password, time_column: "time" },
  });
  const times = { bucket_interval: `${intervalS}s`, offset: `${intervalS}s`, span: 20 };
  const features = [{ name: "v", metric: "avg", field: "v" }];
  const detector = isTrained ? {} : { detector: "auto" };
  await client.createModel({
    name: "m0",
    type: "donut",
    default_bucket: "b",
    features,
    ...times,
    ...detector,
  });
  if (isTrained) {
    const to = Math.floor(Date.now() / 1000 / intervalS) * intervalS;
    const range = { from: to - HISTORY * intervalS, to, max_evals: 1 };
    await client.waitForJob(await client.train("m0", range));
  }
  await client.call("POST /models/m0/_start", { query: { detect_anomalies: true }, status: 204 });
  await server.stop();
  await copyModel(postgres, size.models);
  await startAudit(postgres);
  await postgres.run("alter table audit add column at timestamptz not null default clock_timestamp()");
}

/** Rows of the first model, with other names. */
async function copyModel(postgres: Postgres, models: number): Promise<void> {
  const renamed = `replace(settings, '"name":"m0"', '"name":"m' || i || '"')`;
  for (const [table, key] of [
    ["models", "name"],
    ["versions", "model"],
    ["live", "model"],
  ] as const) {
    const found = await query<{ name: string }>(
      postgres,
      `select attname as name from pg_attribute
       where attrelid = 'torus.${table}'::regclass and attnum > 0 and attgenerated = ''`,
    );
    const columns = found.map(({ name }) => name);
    const toValue = (name: string) => {
      if (name === key) return "'m' || i";
      return table === "models" && name === "settings" ? renamed : name;
    };
    await postgres.run(`insert into torus.${table} (${columns}) select ${columns.map(toValue)}
      from torus.${table}, generate_series(1, ${models - 1}) as i where ${key} = 'm0'`);
  }
  await postgres.run("analyze");
}

/** Names of the models whose shards a node owns. */
export async function modelsOf(postgres: Postgres, node: string): Promise<string[]> {
  const rows = await query<{ model: string }>(
    postgres,
    `select l.model from torus.live l join torus.shards s on s.shard = l.shard
     join torus.nodes n on n.id = s.node where n.name = '${node}'`,
  );
  return rows.map(({ model }) => model);
}

/** From an instant to the next record of each model, in order, s. @param models default: all */
export async function nextRecords(
  postgres: Postgres,
  sinceS: number,
  models?: readonly string[],
): Promise<number[]> {
  const isOne = models
    ? `model in (select value from json_array_elements_text('${JSON.stringify(models)}') as value)`
    : "true";
  const rows = await query<{ s: number }>(
    postgres,
    `select min(extract(epoch from at))::float8 - ${sinceS} as s from audit
     where at > to_timestamp(${sinceS}) and ${isOne} group by model order by s`,
  );
  return rows.map(({ s }) => s);
}

/** Evaluations that were recorded so far. */
export async function countRecords(postgres: Postgres): Promise<number> {
  const [row] = await query<{ n: number }>(postgres, "select count(*)::int as n from audit");
  return row!.n;
}
