// CPU time of this process: what a test may judge of speed, since it does not grow with the load of the machine.

/** @returns ms of CPU time that this process used, all threads together, while `work` ran */
export async function cpuMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Rounds of which the least counts: another test's garbage may be collected in one. */
const ROUNDS = 3;
/** Less says nothing of growth: it changes by as much as the compiler does meanwhile. */
const MEASURABLE_MS = 10;

/**
 * Growth of CPU time from a quarter of a size to the whole.
 * @param work given the size
 * @returns about 4 where time is linear, 16 where it is quadratic; less where a quarter takes less than can be measured
 */
export async function growthOf(work: (size: number) => unknown, size: number): Promise<number> {
  const least = async (of: number) => {
    const rounds: number[] = [];
    for (let i = 0; i < ROUNDS; i++) rounds.push(await cpuMs(() => work(of)));
    return Math.min(...rounds);
  };
  // The quarter first: what runs first is not compiled yet.
  const quarter = await least(size / 4);
  return (await least(size)) / Math.max(MEASURABLE_MS, quarter);
}
