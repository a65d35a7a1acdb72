// Timing of functions side by side: wall and CPU time of this thread, medians over interleaved rounds.
import { dlopen, FFIType } from "bun:ffi";
import { medianOf } from "../../src/models/stats/median.ts";

const CLOCK_THREAD_CPUTIME_ID = 3;

export interface Timing {
  readonly wallMs: number;
  /** CPU time of this thread, hardly affected by other processes. */
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
export const cpuNow: () => number = openThreadClock() ?? readThreadUsage;

/** Counted in ticks of 4 ms on most machines. */
function readThreadUsage(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** clock_gettime(3) of the C library: to the nanosecond. Undefined where there is no such library. */
function openThreadClock(): (() => number) | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    const { symbols } = dlopen("libc.so.6", {
      clock_gettime: { args: [FFIType.i32, FFIType.ptr], returns: FFIType.i32 },
    });
    const time = new BigInt64Array(2);
    return () => {
      symbols.clock_gettime(CLOCK_THREAD_CPUTIME_ID, time);
      return Number(time[0]) * 1000 + Number(time[1]) / 1e6;
    };
  } catch {
    return undefined;
  }
}
