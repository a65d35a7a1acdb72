// Lives of the crash grid: what a model observes minute by minute, how its hook groups events, which anomalies follow.
import type { HookOptions } from "../../src/core/anomaly/hook-options.ts";
import type { ModelSettings } from "../../src/core/model/model.ts";

export const modes = ["single", "grouped", "fleet", "peers"] as const;
export type Mode = (typeof modes)[number];

export interface Life {
  /** Settings besides those of every model. */
  readonly settings: Partial<ModelSettings>;
  readonly hook: HookOptions;
  /** Scores by minute, by value of the tag `host`; a model of one series has them under the empty name. */
  readonly scores: Readonly<Record<string, readonly number[]>>;
  /** Anomalies by the names of `scores`. */
  readonly anomalies: Readonly<Record<string, number>>;
}

const one = {
  settings: {},
  scores: { "": [10, 10, 95, 80, 60, 10, 10, 10] },
  anomalies: { "": 1 },
} satisfies Partial<Life>;

export const lives: Readonly<Record<Mode, Life>> = {
  single: { ...one, hook: {} },
  // Start and end become due together.
  grouped: { ...one, hook: { group_wait: "4m" } },
  // Anomalies that start and end apart, together, and again; the first notification is sent before the last event.
  fleet: {
    settings: { group_by: ["host"] },
    hook: { group_wait: "1m", group_interval: "2m" },
    scores: {
      a: [10, 95, 80, 10, 99, 60, 10, 10, 10, 10, 10],
      b: [10, 10, 95, 10, 10, 10, 10, 10, 10, 10, 10],
      c: [10, 95, 80, 60, 60, 60, 10, 10, 10, 10, 10],
      d: [10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10],
    },
    anomalies: { a: 2, b: 1, c: 1 },
  },
  // Most series move together: one anomaly of the fleet, and one of the series that goes on alone.
  peers: {
    settings: { group_by: ["host"], peers: true },
    hook: {},
    scores: {
      ...Object.fromEntries(["a", "b", "c", "d"].map((host) => [host, [10, 95, 80, 60, 10, 10, 10, 10, 10]])),
      e: [10, 10, 10, 10, 10, 99, 60, 10, 10],
    },
    anomalies: { "": 1, e: 1 },
  },
};
