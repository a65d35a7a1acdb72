// Kills the victim at chosen statements, restarts it, and checks the episodes and their notifications.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EpisodeRow, listEpisodes } from "../../src/store/anomalies/episodes.ts";
import { openStore } from "../../src/store/db/open.ts";
import { lives, type Mode } from "./life.ts";

const VICTIM = join(import.meta.dir, "victim.ts");

export interface Outcome {
  /** Where it died; 0 = not at all. */
  readonly killAt: number;
  readonly episodes: readonly Pick<EpisodeRow, "id" | "series" | "endAt">[];
  /** Notifications in the order they were delivered, repeats included. */
  readonly delivered: readonly Notification[];
}

interface Notification {
  /** The same in every repeat. */
  readonly key: string;
  /** Ids of its events: `EPISODE:start` or `EPISODE:end`. */
  readonly events: readonly string[];
}

/** @returns how the run ended, and how many statements it made where it did not die */
async function run(
  dir: string,
  killAt: number,
  mode: Mode,
): Promise<{ killed: boolean; statements: number }> {
  const child = Bun.spawn([process.execPath, VICTIM, dir, String(killAt), mode], {
    stdout: "pipe",
    stderr: "pipe",
  });
  const [text, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  await child.exited;
  if (child.signalCode === "SIGKILL") return { killed: true, statements: killAt };
  if (child.exitCode !== 0) throw new Error(`the victim failed by itself: ${errors}`);
  return { killed: false, statements: Number(text) };
}

/** Statements of a whole life without a crash. */
export async function countStatements(mode: Mode): Promise<number> {
  return inDirectory(async (dir) => (await run(dir, 0, mode)).statements);
}

/** Dies at one statement, comes back, lives to the end. */
export function dieAndComeBack(killAt: number, mode: Mode): Promise<Outcome> {
  return inDirectory(async (dir) => {
    const { killed } = await run(dir, killAt, mode);
    if (killed) await run(dir, 0, mode);
    const lines = readFileSync(join(dir, "delivered"), "utf8").trim().split("\n");
    const store = openStore({ dir });
    const episodes = await listEpisodes(store, {});
    store.close();
    return {
      killAt: killed ? killAt : 0,
      episodes,
      delivered: lines.map((line) => JSON.parse(line)),
    };
  });
}

/** What is wrong with an outcome: nothing, or a text. Repeats are allowed; losses, doubles and disorder are not. */
export function judgeOutcome({ episodes, delivered }: Outcome, mode: Mode): string {
  const found = episodes.map(
    ({ series, endAt }) => `${series?.host ?? ""} ${endAt === null ? "open" : "ended"}`,
  );
  const expected = Object.entries(lives[mode].anomalies).flatMap(([host, n]) =>
    new Array<string>(n).fill(`${host} ended`),
  );
  if (found.sort().join() !== expected.join()) return `episodes: ${found.join() || "none"}`;
  const text = delivered.map(({ events }) => events.join("+")).join(" ");
  const known = new Set(episodes.flatMap(({ id }) => [`${id}:start`, `${id}:end`]));
  if (delivered.some(({ events }) => events.some((id) => !known.has(id)))) return `unknown events: ${text}`;
  if (!episodes.every(({ id }) => isInOrder(id, delivered))) return `lost or out of order: ${text}`;
  return isRepeatedAlike(delivered) ? "" : `an event is in two notifications: ${text}`;
}

/** Whether the start came, then the end; repeats of the start before the end only. */
function isInOrder(episode: string, delivered: readonly Notification[]): boolean {
  const has = (end: string) => (one: Notification) => one.events.includes(`${episode}:${end}`);
  const end = delivered.findIndex(has("end"));
  const isTogether = end >= 0 && has("start")(delivered[end]!);
  return isTogether || (delivered.some(has("start")) && end > delivered.findLastIndex(has("start")));
}

/** Whether each event has one notification, which was repeated as it was. */
function isRepeatedAlike(delivered: readonly Notification[]): boolean {
  const unique = new Map(delivered.map(({ key, events }) => [key, events.join()]));
  const events = [...unique.values()].flatMap((ids) => ids.split(","));
  return (
    new Set(events).size === events.length &&
    delivered.every((one) => unique.get(one.key) === one.events.join())
  );
}

async function inDirectory<T>(work: (dir: string) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), "torus-crash-"));
  try {
    return await work(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
