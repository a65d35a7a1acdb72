// Events of live detection, with the facts that hooks report; most topics have a start and an end.
import type { JudgementUrls } from "../access/judgement-link.ts";
import type { Attribution } from "../changes/attribution.ts";
import { bucketOf, type ModelSettings } from "../model/model.ts";
import type { TagShare } from "../series/top-tags.ts";
import type { Confidence } from "./confidence.ts";
import type { LevelShift } from "./level-shift.ts";
import type { DriftReport, ForecastBreach, Silence, SourceFailure } from "./notice.ts";
import type { Severity } from "./severity.ts";

/** Source of the values of a feature. */
export interface FeatureSource {
  readonly metric?: string;
  readonly field?: string;
  readonly measurement?: string;
  readonly bucket?: string;
  /** Of its values; absent: not known. */
  readonly unit?: string;
  /** `match_all` of the feature. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** One feature at one interval: observed and expected values, in units of the data. */
export interface FeatureReport extends FeatureSource, Partial<Evidence> {
  readonly type: "low" | "high";
  /** 0..100 */
  readonly score: number;
  readonly observed: number | null;
  readonly predicted: number;
  readonly lower: number;
  readonly upper: number;
  /** Distance from `predicted` in half-widths of the band on that side; absent where the band has no width. */
  readonly factor?: number;
  /** -log10 of the share of normal points at least this anomalous: unbounded, so it ranks points of score 100. */
  readonly rarity?: number;
  /** Of a fleet that compares peers: whether the score is that against its own past, or against its peers. */
  readonly reason?: "history" | "peers";
  readonly peers?: PeerEvidence;
  /** Of an anomaly of the whole fleet: tags whose series deviate more than others. */
  readonly top_tags?: readonly TagShare[];
}

/** A series of a fleet beside the others at the same instant. */
interface PeerEvidence {
  /** Its value, had it moved as the median of its peers. */
  readonly expected: number;
  /** Distance from them in their spread; below 0: lower. */
  readonly distance: number;
}

/** Evidence of a rare point. */
export interface Evidence {
  /** Share of each detector in the rarity; they add up to 1. */
  readonly contributions: Readonly<Record<string, number>>;
  /** What is odd, in words, by the detector that contributes most; absent in events of older releases. */
  readonly explanation?: string;
  /** Of the joint detector: the features whose values it is unusual beside. */
  readonly beside?: readonly string[];
  /** The most similar earlier stretch; absent if the kind compares with none. */
  readonly nearest?: NearestStretch;
  /** 0..100, by the points behind it: what a short history calls rare counts less. Compares models, not with thresholds. */
  readonly comparison_score?: number;
}

/** An earlier stretch of the series, like the one that ends at a point. */
interface NearestStretch {
  /** Start of its last interval, seconds since the epoch. */
  readonly at: number;
  /** Root of the mean squared difference, in deviations of the series. */
  readonly distance: number;
  /** Its length, in intervals. */
  readonly points: number;
}

export const eventKinds = [
  "anomaly_start",
  "anomaly_end",
  "level_shift",
  "silence_start",
  "silence_end",
  "source_down",
  "source_up",
  "forecast_start",
  "forecast_end",
  "drift_start",
  "drift_end",
] as const;
export type EventKind = (typeof eventKinds)[number];

/** Subjects of events, which hooks choose from. */
export const eventTopics = ["anomaly", "level_shift", "silence", "source", "forecast", "drift"] as const;
export type EventTopic = (typeof eventTopics)[number];
/** Those of a new hook that chooses none; they are stored with it. */
export const defaultTopics: readonly EventTopic[] = ["anomaly", "level_shift", "silence"];
/** Those of a hook of an older version that chooses none. */
export const formerTopics: readonly EventTopic[] = ["anomaly", "level_shift"];

/** The subject of a kind of events. */
export function topicOf(kind: EventKind): EventTopic {
  return eventTopics.find((topic) => kind.startsWith(topic))!;
}

/** Whether something begins that a later event ends. */
export function isStart(kind: EventKind): boolean {
  return kind.endsWith("_start") || kind === "source_down";
}

/** Whether the event ends what an earlier one began. */
export function isEnd(kind: EventKind): boolean {
  return kind.endsWith("_end") || kind === "source_up";
}

/** The series of a fleet that an anomaly is of; all absent: it is of the model. */
export interface EventSubject {
  /** Tags of the series. */
  readonly series?: Readonly<Record<string, string>>;
  /** `fleet`: of many series at once. */
  readonly scope?: "fleet";
  /** Of scope `fleet`: share of the series that are anomalous, 0..1. */
  readonly share?: number;
}

export interface HookEvent extends EventSubject {
  /**
   * `<episode>:start`, `<episode>:end` or `<episode>:level:<feature>`, also of silence and the like: the same in every attempt, so that receivers can
   * drop duplicates.
   */
  readonly id: string;
  readonly kind: EventKind;
  readonly model: string;
  /** UUID of the anomaly, silence, failure and so on; of a level shift outside of an anomaly, its own. */
  readonly episode: string;
  /** Start of the interval that changed the state, ms since the epoch. */
  readonly at: number;
  /** When the episode or the step started, ms since the epoch; it ended at `at`. */
  readonly startedAt: number;
  /** Of an end: duration of the episode. */
  readonly durationMs?: number;
  /** Score of that interval, 0..100; absent in events of silence, sources, forecasts and drift. */
  readonly score?: number;
  /** At the start; of an end, the highest of the episode. Absent in events of an older version. */
  readonly severity?: Severity;
  /** Of an end: severity at the start, which labels of alerts must repeat. */
  readonly startSeverity?: Severity;
  /** Of the score at the start; absent in events of an older version. */
  readonly confidence?: Confidence;
  /** The contributing features at `at`; of an end, at the start. */
  readonly features: Readonly<Record<string, FeatureReport>>;
  /** `match_all` of the features, in events that report no values. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Facts by topic, see `topicOf`. */
  readonly levelShift?: LevelShift;
  readonly silence?: Silence;
  readonly source?: SourceFailure;
  readonly forecast?: ForecastBreach;
  readonly drift?: DriftReport;
  /** Of the start of an anomaly, or a level shift, as it is sent: the likeliest change before it. */
  readonly change?: Attribution;
  /** Of a start, as it is sent: the series that probably caused it, in words. */
  readonly cause?: string;
  /** Of the start of an anomaly, as it is sent: what is left of the error budget of its model, in words. */
  readonly budget?: string;
  /** Link to the anomaly; absent if the settings have no external address. */
  readonly url?: string;
  /** Links by which receivers judge the anomaly; of starts, if the server has an address for people. */
  readonly judge?: JudgementUrls;
  /** Reason of an end without a low score: the model was stopped or deleted. */
  readonly closedBy?: string;
  /** Sent by `_test`: there was no anomaly. */
  readonly test?: boolean;
}

/** Sources by feature name. */
export function sourcesOf(
  settings: Pick<ModelSettings, "features" | "default_bucket" | "default_datasource">,
): Readonly<Record<string, FeatureSource>> {
  const byDefault = bucketOf(settings);
  const sources = settings.features.map(
    ({ name, metric, field, measurement, query, unit, bucket, match_all }) => {
      const from = bucket || byDefault;
      const tags = Object.fromEntries((match_all ?? []).map(({ tag, value }) => [tag, String(value)]));
      const source: FeatureSource = {
        ...(!query && { metric, field, ...(measurement && { measurement }) }),
        ...(from && { bucket: from }),
        ...(unit && { unit }),
        ...(Object.keys(tags).length > 0 && { tags }),
      };
      return [name, source] as const;
    },
  );
  return Object.fromEntries(sources);
}

/** Distance of the observed from the predicted value in half-widths of the band on its side; undefined without a width. */
export function factorOf({
  observed,
  predicted,
  lower,
  upper,
}: Pick<FeatureReport, "observed" | "predicted" | "lower" | "upper">): number | undefined {
  if (observed === null) return undefined;
  const factor =
    Math.abs(observed - predicted) / (observed < predicted ? predicted - lower : upper - predicted);
  return Number.isFinite(factor) && factor >= 0 ? factor : undefined;
}

/** The greatest rarity of the features; undefined if none has one. */
export function rarityOf(
  features: Readonly<Record<string, Pick<FeatureReport, "rarity">>>,
): number | undefined {
  const rarities = Object.values(features).flatMap(({ rarity }) => rarity ?? []);
  return rarities.length > 0 ? Math.max(...rarities) : undefined;
}

/** Tags that an event concerns: those of its features, and of its series. */
export function tagsOfEvent({ tags, features, series }: HookEvent): Readonly<Record<string, string>> {
  return { ...(tags ?? tagsOf(features)), ...series };
}

/** A subject among other facts, as rows and contexts have it. */
export type SubjectFields = { readonly [K in keyof EventSubject]?: EventSubject[K] | null | undefined };

/** The subject alone, without what is null. */
export function subjectOf({ series, scope, share }: SubjectFields): EventSubject {
  return { ...(series && { series }), ...(scope && { scope }), ...(typeof share === "number" && { share }) };
}

/** All tags of the features; different values of one tag are joined in the order of the features. */
export function tagsOf(
  features: Readonly<Record<string, Pick<FeatureSource, "tags">>>,
): Readonly<Record<string, string>> {
  const values = new Map<string, Set<string>>();
  for (const { tags = {} } of Object.values(features))
    for (const [tag, value] of Object.entries(tags))
      values.set(tag, (values.get(tag) ?? new Set()).add(value));
  return Object.fromEntries([...values].map(([tag, set]) => [tag, [...set].join(", ")]));
}
