// Time of works measured side by side: wall and CPU of this thread, medians over interleaved rounds.
import { medianOf } from "../../src/models/median.ts";

export interface Timing {
  readonly wallMs: number;
  /** Of this thread: what the machine does beside it hardly moves it. */
  readonly cpuMs: number;
  readonly leastCpuMs: number;
}

export interface Rounds {
  readonly warmUp: number;
  readonly rounds: number;
}

/** Rounds are interleaved, so that a slow moment of the machine hits all alike. */
export async function timeTogether(
  works: readonly (() => Promise<unknown>)[],
  { warmUp, rounds }: Rounds,
): Promise<readonly Timing[]> {
  const walls = works.map((): number[] => []);
  const cpus = works.map((): number[] => []);
  for (let round = -warmUp; round < rounds; round++) {
    for (const [i, work] of works.entries()) {
      const [wallAt, cpuAt] = [performance.now(), cpuNow()];
      await work();
      if (round < 0) continue;
      walls[i]!.push(performance.now() - wallAt);
      cpus[i]!.push(cpuNow() - cpuAt);
    }
  }
  return works.map((_, i) => ({
    wallMs: medianOf(walls[i]!),
    cpuMs: medianOf(cpus[i]!),
    leastCpuMs: Math.min(...cpus[i]!),
  }));
}

/** CPU time of this thread so far, ms. */
export function cpuNow(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
