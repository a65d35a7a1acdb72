// Events of recorded anomalies: start and end say of which series they are.
import { expect, test } from "bun:test";
import { describeClosing, describeEpisode } from "../../../src/live/episodes/episode-events.ts";
import { freshState } from "../../../src/live/state.ts";
import type { EpisodeRow } from "../../../src/store/anomalies/episodes.ts";

const report = { type: "high", score: 80, observed: 9, predicted: 5, lower: 4, upper: 6 } as const;
const episode: EpisodeRow = {
  id: "e",
  model: "m",
  startAt: 100,
  endAt: 400,
  peakScore: 80,
  features: { f: report },
  peak: { f: report },
  severity: "info",
  confidence: null,
  closedBy: null,
  origin: "live",
  series: null,
  scope: null,
  share: null,
  feedback: null,
};
const subjects = (row: EpisodeRow) =>
  describeEpisode(row).map(({ kind, series, scope, share }) => ({ kind, series, scope, share }));

test("start and end of an anomaly of a series, and of many series", () => {
  const series = { host: "a" };
  expect(subjects({ ...episode, series })).toMatchObject([
    { kind: "anomaly_start", series },
    { kind: "anomaly_end", series },
  ]);
  const fleet = { scope: "fleet", share: 0.6 } as const;
  expect(subjects({ ...episode, ...fleet })).toMatchObject([fleet, fleet]);
});

test("an anomaly of a model has none of these", () => {
  for (const event of describeEpisode(episode))
    for (const key of ["series", "scope", "share"]) expect(event).not.toHaveProperty(key);
});

test("the end that comes with the end of detection names the series", () => {
  const ongoing = { id: "e", startedAt: 100, score: 80, features: {}, peakScore: 80, announced: true };
  const state = { ...freshState("r"), episode: ongoing };
  const closing = { state, episode: { ...episode, series: { host: "a" } }, mutedUntil: undefined };
  expect(describeClosing(closing)?.event).toMatchObject({ kind: "anomaly_end", series: { host: "a" } });
});
