// A storm of a live fleet on a real process: all series go odd at once, and the server is killed meanwhile.
import { expect, test } from "bun:test";
import { runStorm } from "../bench/fleet-storm.ts";

const TEST_MS = 150_000;

test(
  "each anomaly of a fleet is told from its start to its end, once, also where the server is killed",
  async () => {
    const storm = await runStorm({ series: 40, kills: 1, slowMs: 500, endMs: 25_000 });
    expect(storm.anomalies).toBeGreaterThanOrEqual(40);
    expect(storm).toMatchObject({ lost: 0, doubled: 0, unknown: 0 });
    expect(storm.posts).toBeLessThan(storm.events);
  },
  TEST_MS,
);
