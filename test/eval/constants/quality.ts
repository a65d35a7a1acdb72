// Quality of a choice of constants, by set: ranking and events at default thresholds.
import { findEpisodes } from "../../../src/core/anomaly/episode.ts";
import { scoreEnsemble } from "../../../src/models/detectors/ensemble.ts";
import { fitEnsemble } from "../../../src/models/detectors/fit.ts";
import type { DetectionRules } from "../../../src/models/detectors/rules.ts";
import { rulesOf } from "../../../src/models/scoring/detect.ts";
import { pickScored } from "../measures.ts";
import { type Alarms, addAlarms, countAlarms, eventQuality } from "../metrics/alarms.ts";
import { aucPr } from "../metrics/auc-pr.ts";
import { type NabFile, nabScore, probationOf } from "../metrics/nab.ts";
import { orderBy } from "../metrics/scored.ts";
import { WINDOW } from "../peers/index.ts";
import { observedFrom } from "../series.ts";
import { flagObserved } from "../sets/subject.ts";
import type { Prepared } from "./prepared.ts";

/** Quality of one set. */
export interface SetQuality {
  readonly set: string;
  /** Mean AUC-PR of the series; of NAB by its own protocol its score, as a share of 100. */
  readonly ranking: number;
  /** At default thresholds. */
  readonly recall: number;
  readonly precision: number;
  readonly f1: number;
  readonly falseAWeek: number;
}

interface Judged {
  readonly set: string;
  readonly alarms: Alarms;
  readonly aucPr: number | undefined;
  readonly nab: NabFile | undefined;
}

/** Scores every subject with the constants, and judges the sets. */
export function measureQuality(all: readonly Prepared[], rules: DetectionRules): SetQuality[] {
  const judged = all.map((prepared) => judge(prepared, rules));
  // A set without labels has nothing to find.
  const labelled = new Set(judged.filter(({ alarms }) => alarms.labelled > 0).map(({ set }) => set));
  return [...Map.groupBy(judged, ({ set }) => set)]
    .filter(([set]) => labelled.has(set))
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([set, own]) => {
      const alarms = addAlarms(own.map((entry) => entry.alarms));
      const files = own.flatMap(({ nab }) => (nab ? [nab] : []));
      const areas = own.flatMap((entry) => (entry.aucPr === undefined ? [] : [entry.aucPr]));
      const mean = areas.reduce((sum, area) => sum + area / areas.length, 0);
      return {
        set,
        ranking: files.length > 0 ? (nabScore(files)?.score ?? 0) / 100 : mean,
        ...eventQuality(alarms),
        falseAWeek: alarms.quietWeeks > 0 ? alarms.falseAlarms / alarms.quietWeeks : 0,
      };
    });
}

function judge({ set, series, settings, from, fit, run }: Prepared, rules: DetectionRules): Judged {
  const ensemble = fitEnsemble({ ...fit, rules });
  const { score, rarity } = scoreEnsemble(ensemble, { ...run, rules });
  const judgedFrom = (values: Float64Array) => values.subarray(run.from);
  const scores = judgedFrom(score);
  const startAt = (series.startAt + from * series.step) * 1000;
  const intervalMs = series.step * 1000;
  const flags = new Uint8Array(scores.length);
  for (const episode of findEpisodes({ startAt, intervalMs, scores }, rulesOf(settings))) {
    const to = episode.endAt === null ? flags.length : (episode.endAt - startAt) / intervalMs;
    flags.fill(1, (episode.startAt - startAt) / intervalMs, to);
  }
  const alarms = countAlarms(flagObserved(series, flags, from), { margin: WINDOW, stepSeconds: series.step });
  const place = (statistic: Float64Array, fallback: number) => {
    const whole = new Float64Array(series.values.length).fill(fallback);
    whole.set(statistic, from);
    return whole;
  };
  if (set === "nab 15 %") {
    const observed = observedFrom(series);
    const scored = pickScored(series.labels, place(scores, 0), observed);
    return { set, alarms, aucPr: undefined, nab: { ...scored, probation: probationOf(observed.length) } };
  }
  const ranked = place(orderBy(filled(scores), filled(judgedFrom(rarity))), Number.NaN);
  const area = aucPr(pickScored(series.labels, ranked, observedFrom(series, from)));
  return { set, alarms, aucPr: area, nab: undefined };
}

/** Intervals without a score rank lowest. */
function filled(values: Float64Array): Float64Array {
  return values.map((value) => (Number.isNaN(value) ? Number.NEGATIVE_INFINITY : value));
}
