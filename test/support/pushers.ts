// Clients that push points to one server and repeat what was not acknowledged, through restarts at other addresses.
import { createClient } from "../../src/cli/client/client.ts";

const CLIENTS = 4;
const RETRY_MS = 20;

export interface Pushers {
  /** Points so far: one each second from the epoch on. */
  readonly count: number;
  /** Waits until all that were begun are acknowledged. */
  stop(): Promise<void>;
}

/** Starts them. @param url where the server is now @throws Error in `stop` where a push was refused for good */
export function startPushers(bucket: string, url: () => string): Pushers {
  let count = 0;
  let isStopping = false;
  const push = async (at: number) => {
    for (;;) {
      const body = `p x=1 ${at}`;
      const options = { method: "POST", body };
      const answer = await fetch(`${url()}/write?db=${bucket}&precision=s`, options).catch(() => undefined);
      if (answer?.status === 204) return;
      if (answer && answer.status !== 503) throw new Error(`POST /write answered ${answer.status}`);
      await Bun.sleep(RETRY_MS);
    }
  };
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!isStopping) await push(count++);
  });
  return {
    get count() {
      return count;
    },
    stop: async () => {
      isStopping = true;
      await Promise.all(clients);
    },
  };
}

/** Times of the stored points, s. */
export async function readPushed(url: string, bucket: string, count: number): Promise<number[]> {
  const client = createClient({ baseUrl: url, sleep: (ms) => Bun.sleep(ms) });
  const query = { from: 0, to: count + 1, bucket_interval: 1, features: "count(p.x)" };
  const job = await client.waitForJob(await client.call<string>(`POST /buckets/${bucket}/_read`, { query }));
  const { timestamps, observed } = job.result as { timestamps: number[]; observed: Record<string, number[]> };
  const [counts] = Object.values(observed);
  return timestamps.filter((_, i) => counts![i] === 1);
}
