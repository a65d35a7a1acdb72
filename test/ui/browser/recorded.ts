// Anomalies as if live detection had recorded them, put into the data directory of a server that is not started yet.
import { changeEpisodes, type EpisodeChange } from "../../../src/store/anomalies/episodes.ts";
import { openStore } from "../../../src/store/db/open.ts";
import { write } from "../../../src/store/db/transaction.ts";

const HOUR_MS = 3_600_000;
const SCORE = 90;

export interface Recorded {
  readonly model: string;
  /** Hours before now; each lasts one. */
  readonly hoursAgo: number;
  /** Of an anomaly of many series at once: their share, 0..1. */
  readonly share?: number;
}

export async function recordAnomalies(dir: string, anomalies: readonly Recorded[]): Promise<void> {
  const store = openStore({ dir });
  await write(store, (tx) => changeEpisodes(tx, anomalies.flatMap(toChanges)), { changes: [] });
  store.close();
}

function toChanges({ model, hoursAgo, share }: Recorded): EpisodeChange[] {
  const id = crypto.randomUUID();
  const startAt = Date.now() - hoursAgo * HOUR_MS;
  const band = { observed: 70, predicted: 20, lower: 15, upper: 25 };
  const features = { load: { type: "high", score: SCORE, ...band } as const };
  const scope = share === undefined ? {} : ({ scope: "fleet", share } as const);
  const rest = { peakScore: SCORE, features, peak: features, severity: "warning" } as const;
  return [
    { change: "open", episode: { id, model, startAt, ...rest, ...scope } },
    { change: "close", id, endAt: startAt + HOUR_MS },
  ];
}
