// Kills the victim at chosen statements, restarts it, and checks the episode and its events.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listEpisodes } from "../../src/store/anomalies/episodes.ts";
import { openStore } from "../../src/store/db/open.ts";

const VICTIM = join(import.meta.dir, "victim.ts");

export interface Outcome {
  /** Where it died; 0 = not at all. */
  readonly killAt: number;
  /** `ended` or `open`, by episode. */
  readonly episodes: readonly string[];
  /** Notifications in the order they were delivered, repeats included: `start`, `end`, or `start,end` of a group. */
  readonly delivered: readonly string[];
}

/** Each event by itself, or both as a group. */
export type Mode = "single" | "grouped";

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
    const delivered = readFileSync(join(dir, "delivered"), "utf8").trim().split("\n");
    const store = openStore({ dir });
    const episodes = await listEpisodes(store, {});
    store.close();
    return {
      killAt: killed ? killAt : 0,
      episodes: episodes.map(({ endAt }) => (endAt === null ? "open" : "ended")),
      delivered,
    };
  });
}

/** What is wrong with an outcome: nothing, or a text. Repeats are allowed, losses and disorder are not. */
export function judgeOutcome({ episodes, delivered }: Outcome): string {
  if (episodes.join() !== "ended") return `episodes: ${episodes.join() || "none"}`;
  const first = delivered.filter((event, i) => delivered.indexOf(event) === i);
  if (first.join() !== "start,end") return `delivered: ${delivered.join(" ")}`;
  const isRepeatedLate = first.some(
    (event, i) =>
      delivered.lastIndexOf(event) > delivered.indexOf(first[i + 1] ?? "") && i + 1 < first.length,
  );
  return isRepeatedLate ? `delivered out of order: ${delivered.join(" ")}` : "";
}

async function inDirectory<T>(work: (dir: string) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), "torus-crash-"));
  try {
    return await work(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
