// Counts of the rail: anomalies in progress and running jobs, read once and then when the server announces a change.
import { signal } from "@preact/signals";
import { type ChangeType, onChange } from "./events.ts";
import { request } from "./session.ts";

/** Least time between two reads, for changes come in bursts. */
const BURST_MS = 2000;

const sources = {
  anomalies: { type: "anomaly", path: "/anomalies?state=open" },
  jobs: { type: "job", path: "/jobs?state=running&fields=id&include_fields=true" },
} as const satisfies Readonly<Record<string, { type: ChangeType; path: string }>>;

/** By page; zero while unknown. */
export const badges = signal<Readonly<Record<string, number>>>({});

/** Begins to count. @returns a function that ends it */
export function followBadges(): () => void {
  const ends = Object.entries(sources).map(([page, { type, path }]) => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const read = async () => {
      waiting = undefined;
      // What cannot be counted has no badge; the screen says why.
      const list = await request<readonly unknown[]>(path).catch(() => []);
      badges.value = { ...badges.value, [page]: list.length };
    };
    const leave = onChange([type], () => {
      waiting ??= setTimeout(() => void read(), BURST_MS);
    });
    void read();
    return () => {
      leave();
      clearTimeout(waiting);
    };
  });
  return () => {
    for (const end of ends) end();
  };
}
