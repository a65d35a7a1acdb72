// Command: all series of a live fleet go odd at once, the receiver is slow, the server may be killed; fails where events
// are lost or doubled, or where with peers it is not one anomaly of the fleet that starts once and ends once.
import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "../../src/cli/client/client.ts";
import type { Model } from "../../src/cli/client/views.ts";
import type { HookEvent } from "../../src/core/anomaly/event.ts";
import { FILE } from "../../src/store/db/open.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";
import { FLEET, makeFleet, writePoints } from "./fleet-world.ts";
import { clientOf, floorNow } from "./live-world.ts";
import { show } from "./part.ts";

const SHIFT = 1000;
const ODD_S = 6;
const SPAN = 20;
const POLL_MS = 100;
/** Longer than `group_interval` and an answer of the receiver. */
const QUIET_MS = 7000;
const FEED_EVERY_MS = 100;
const ENV = { TORUS_HOOKS_WEBHOOK_PRIVATE_ADDRESSES: "true" };

export interface StormOptions {
  readonly series: number;
  readonly peers?: boolean;
  /** Time that the receiver takes for an answer. */
  readonly slowMs?: number;
  /** How often the server is killed while the series are odd. */
  readonly kills?: number;
  /** Longest time that the anomalies and their deliveries take to end. */
  readonly endMs?: number;
  /** Delay of the points; the fleet then follows them with `offset: auto`. */
  readonly lateS?: number;
}

export interface Storm {
  /** Anomalies, those of series and of the fleet. */
  readonly anomalies: number;
  readonly fleetAnomalies: number;
  /** Anomalies that have not ended, or deliveries that wait, when the time is over. */
  readonly unfinished: number;
  readonly posts: number;
  /** Posts whose idempotency key came before. */
  readonly repeatedPosts: number;
  readonly events: number;
  /** Starts and ends of anomalies that never arrived. */
  readonly lost: number;
  /** Events that came in posts of different idempotency keys. */
  readonly doubled: number;
  /** Events of anomalies that are not recorded. */
  readonly unknown: number;
  /** From the start of detection to the end of the first evaluation, and after each kill; ms. */
  readonly firstMs: number;
  readonly restartMs: readonly number[];
}

/** Runs a server of its own. @throws Error where the fleet does not get odd */
export async function runStorm(options: StormOptions): Promise<Storm> {
  const dataDir = mkdtempSync(join(tmpdir(), "torus-storm-"));
  const receiver = startReceiver();
  receiver.delayMs = options.slowMs ?? 0;
  const world = new World(dataDir, options, receiver);
  try {
    return await world.run();
  } finally {
    await world.stop();
    await receiver.stop();
    rmSync(dataDir, { recursive: true });
  }
}

class World {
  #server: ServerProcess | undefined;
  #feed: Timer | undefined;
  #shift = 0;

  constructor(
    private readonly dataDir: string,
    private readonly options: StormOptions,
    private readonly receiver: Receiver,
  ) {}

  async run(): Promise<Storm> {
    const firstMs = await this.#begin();
    await Bun.sleep(SPAN * 1000);
    this.#shift = SHIFT;
    const restartMs: number[] = [];
    for (let i = 0; i < (this.options.kills ?? 0); i++) {
      await Bun.sleep(2000 + 370 * i);
      restartMs.push(await this.#killAndRestart());
    }
    await Bun.sleep(ODD_S * 1000);
    this.#shift = 0;
    await this.#untilQuiet();
    await this.#server!.stop();
    return { ...this.#judge(), firstMs, restartMs };
  }

  async stop(): Promise<void> {
    clearInterval(this.#feed);
    await this.#server?.kill();
  }

  async #begin(): Promise<number> {
    const { series, peers = false, lateS = 0 } = this.options;
    const settings = { max_threshold: 60, min_threshold: 40, peers, ...(lateS > 0 && { offset: "auto" }) };
    await makeFleet(this.dataDir, { series, intervalS: 1, span: SPAN, settings });
    this.#server = await startServer({ dataDir: this.dataDir, env: ENV });
    const client = this.#client;
    const { url } = this.receiver;
    const hook = { name: "h", type: "webhook", group_wait: "1s", group_interval: "3s", config: { url } };
    await client.call(`POST /models/${FLEET}/hooks`, { body: hook, status: 201 });
    this.#startFeed();
    await Bun.sleep(1000 * (lateS + 1));
    const startedAt = performance.now();
    await client.call(`POST /models/${FLEET}/_start`, { query: { detect_anomalies: true }, status: 204 });
    await this.#evaluated(0);
    return performance.now() - startedAt;
  }

  get #client(): Client {
    return clientOf(this.#server!.url);
  }

  async #view(): Promise<Model> {
    return (await this.#client.call<Model[]>(`GET /models/${FLEET}`))[0]!;
  }

  /** Points of each second, those of a server that is down are lost. */
  #startFeed(): void {
    const { series, lateS = 0 } = this.options;
    let written = floorNow(1) - lateS - SPAN;
    this.#feed = setInterval(() => {
      const at = floorNow(1) - lateS;
      const instants = Array.from({ length: at - written }, (_, i) => written + 1 + i);
      written = at;
      if (instants.length === 0) return;
      const size = { series, intervalS: 1, shift: this.#shift };
      writePoints(this.#server!.url, size, instants).catch(() => {});
    }, FEED_EVERY_MS);
  }

  /** @returns time until the next evaluation is recorded, ms */
  async #killAndRestart(): Promise<number> {
    await this.#server!.kill();
    const killedAt = Date.now();
    const startedAt = performance.now();
    this.#server = await startServer({ dataDir: this.dataDir, env: ENV });
    await this.#evaluated(killedAt);
    return performance.now() - startedAt;
  }

  /** Until an evaluation after the instant (ms since the epoch) is recorded. */
  async #evaluated(sinceAt: number): Promise<void> {
    for (;;) {
      const { live } = await this.#view();
      if ((live?.evaluations?.[0]?.timestamp ?? 0) * 1000 > sinceAt) return;
      await Bun.sleep(POLL_MS / 5);
    }
  }

  /** Until neither a series nor the fleet is anomalous, and nothing arrives any more. */
  async #untilQuiet(): Promise<void> {
    const endsAt = performance.now() + (this.options.endMs ?? 90_000);
    let [posts, changedAt] = [-1, performance.now()];
    while (performance.now() < endsAt && performance.now() - changedAt < QUIET_MS) {
      const { state, live } = await this.#view();
      const isOdd = live?.anomaly !== undefined || (state.series?.anomalous ?? 1) > 0;
      if (isOdd || posts !== this.receiver.posts.length) {
        posts = this.receiver.posts.length;
        changedAt = performance.now();
      }
      await Bun.sleep(POLL_MS);
    }
  }

  #judge(): Omit<Storm, "firstMs" | "restartMs"> {
    const { posts } = this.receiver;
    const keysOf = new Map<string, Set<string>>();
    for (const { headers, body } of posts) {
      const { event, events = [event] } = JSON.parse(body) as { event?: HookEvent; events?: HookEvent[] };
      const key = headers.get("idempotency-key")!;
      for (const { id } of events as HookEvent[]) keysOf.set(id, (keysOf.get(id) ?? new Set()).add(key));
    }
    const { ids, unfinished } = readRecords(this.dataDir);
    const expected = new Set(
      ids.flatMap(({ id, endAt }) => [`${id}:start`, ...(endAt === null ? [] : [`${id}:end`])]),
    );
    return {
      anomalies: ids.length,
      fleetAnomalies: ids.filter(({ scope }) => scope === "fleet").length,
      unfinished,
      posts: posts.length,
      repeatedPosts: posts.length - new Set(posts.map(({ headers }) => headers.get("idempotency-key"))).size,
      events: keysOf.size,
      lost: [...expected].filter((id) => !keysOf.has(id)).length,
      doubled: [...keysOf.values()].filter(({ size }) => size > 1).length,
      unknown: [...keysOf.keys()].filter((id) => /:(start|end)$/.test(id) && !expected.has(id)).length,
    };
  }
}

/** What is wrong with a storm; empty where each anomaly has ended, and its start and end arrived in one post each. */
function faultsOf(storm: Storm, { peers = false, series }: StormOptions): string[] {
  const { anomalies, fleetAnomalies } = storm;
  const faults = (["unfinished", "lost", "doubled", "unknown"] as const).flatMap((name) =>
    storm[name] > 0 ? [`${storm[name]} ${name}`] : [],
  );
  if (!peers && anomalies < series) faults.push(`${anomalies} anomalies of ${series} series`);
  if (peers && fleetAnomalies !== 1) faults.push(`${fleetAnomalies} anomalies of the fleet`);
  return faults;
}

interface Episode {
  readonly id: string;
  readonly scope: string | null;
  readonly endAt: number | null;
}

/** What a server that has stopped has recorded. */
function readRecords(dataDir: string) {
  const db = new Database(join(dataDir, FILE), { readonly: true });
  const ids = db
    .query<Episode, []>("select id, scope, end_at as endAt from episodes where origin = 'live'")
    .all();
  const { unfinished } = db
    .query<{ unfinished: number }, []>(
      `select (select count(*) from episodes where end_at is null) +
        (select count(*) from outbox where state = 'waiting') as unfinished`,
    )
    .get()!;
  db.close();
  return { ids, unfinished };
}

if (import.meta.main) {
  const [series = "500", kills = "0", peers = "no", lateS = "0"] = Bun.argv.slice(2);
  const size = { series: Number(series), kills: Number(kills), peers: peers === "peers" };
  const options = { ...size, lateS: Number(lateS), slowMs: 2000 };
  const storm = await runStorm(options);
  const { restartMs, ...counts } = storm;
  show(`A storm of ${series} series`, [{ ...counts, restarts: restartMs.map(Math.round).join(", ") }]);
  const faults = faultsOf(storm, options);
  if (faults.length > 0) console.log(faults.join("; "));
  process.exit(faults.length > 0 ? 1 : 0);
}
