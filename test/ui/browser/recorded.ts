// Anomalies as if live detection had recorded them, put into the data directory of a server that is not started yet.
import { changeEpisodes, type EpisodeChange, saveFeedback } from "../../../src/store/anomalies/episodes.ts";
import { openStore } from "../../../src/store/db/open.ts";
import { write } from "../../../src/store/db/transaction.ts";

const HOUR_MS = 3_600_000;
const SCORE = 90;

export interface Recorded {
  readonly model: string;
  /** Hours before now. */
  readonly hoursAgo: number;
  /** Of one that has ended; default: 1. */
  readonly hours?: number;
  /** Whether it is in progress. */
  readonly isOpen?: boolean;
  /** Of an anomaly of many series at once: their share, 0..1. */
  readonly share?: number;
  /** Of its peak; default: 90. */
  readonly score?: number;
  /** Verdict; absent: not judged. */
  readonly isReal?: boolean;
}

export async function recordAnomalies(dir: string, anomalies: readonly Recorded[]): Promise<void> {
  const store = openStore({ dir });
  const found = anomalies.map((anomaly) => ({ ...anomaly, id: crypto.randomUUID() }));
  await write(store, (tx) => changeEpisodes(tx, found.flatMap(toChanges)), { changes: [] });
  for (const { model, id, isReal } of found)
    if (isReal !== undefined) await saveFeedback(store, { model, id }, { anomaly: isReal, at: Date.now() });
  store.close();
}

function toChanges(anomaly: Recorded & { readonly id: string }): EpisodeChange[] {
  const { id, model, hoursAgo, share, hours = 1, isOpen = false, score = SCORE } = anomaly;
  const startAt = Date.now() - hoursAgo * HOUR_MS;
  const band = { observed: 70, predicted: 20, lower: 15, upper: 25 };
  const features = { load: { type: "high", score, ...band } as const };
  const scope = share === undefined ? {} : ({ scope: "fleet", share } as const);
  const rest = { peakScore: score, features, peak: features, severity: "warning" } as const;
  const open: EpisodeChange = { change: "open", episode: { id, model, startAt, ...rest, ...scope } };
  return isOpen ? [open] : [open, { change: "close", id, endAt: startAt + hours * HOUR_MS }];
}
