// Benchmark: cost per point of the local bucket, from ten thousand to ten million points.
import { rangeOf, type Volume, withBucket, writeVolume } from "./local-points.ts";
import { type Part, type Row, runAlone } from "./part.ts";
import { timeTogether } from "./time.ts";

const sizes = [10_000, 100_000, 1_000_000, 10_000_000];
const MINUTE = 60_000;
const ROUNDS = { warmUp: 2, rounds: 5 };

/** Always as dense: ten series, a point of each every ten seconds. */
function volumeOf(points: number): Volume {
  const series = 10;
  return { points, series, days: ((points / series) * 10) / 86_400 };
}

async function measure(points: number): Promise<Row> {
  const volume = volumeOf(points);
  const { fromAt, toAt } = rangeOf(volume);
  const range = { fromAt, toAt: Math.ceil(toAt / MINUTE) * MINUTE };
  const features = [{ name: "f", metric: "avg", field: "usage", tags: [] }];
  const { signal } = new AbortController();
  // CPU time is counted in ticks of some milliseconds.
  const reads = Math.max(1, 2_000_000 / points);
  return withBucket(async (bucket, sizeOf) => {
    const written = await writeVolume(bucket, volume);
    const readOften = async () => {
      for (let i = 0; i < reads; i++) await bucket.read({ range, intervalMs: MINUTE, features }, signal);
    };
    const [read] = await timeTogether([readOften], ROUNDS);
    // What is still in the log goes to the file when it is closed.
    bucket.close();
    return {
      points,
      "write points/s": Math.round((points / written.wallMs) * 1000),
      "write points/s of CPU": Math.round((points / written.cpuMs) * 1000),
      "read wall ms": read!.wallMs / reads,
      "read CPU ms": read!.cpuMs / reads,
      "read CPU ms per 10^6": (read!.cpuMs / reads / points) * 1e6,
      "bytes per point": sizeOf() / points,
    };
  });
}

export const localGrowth: Part = {
  name: "local-growth",
  title:
    "Local bucket against its size: points of 10 series, all read as averages of minutes " +
    "(median of 5; goal: no column grows with the points, but for the time of the read)",
  async run() {
    const rows: Row[] = [];
    for (const points of sizes) rows.push(await measure(points));
    return rows;
  },
};

if (import.meta.main) await runAlone(localGrowth);
