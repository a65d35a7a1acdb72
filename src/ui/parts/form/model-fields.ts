// Fields of model settings: in groups, with automatic values as hints; drafts moved to newer settings.
import type { ModelStateView } from "../../../api/model.ts";
import { keysNeedingTraining } from "../../../core/model/effective-settings.ts";
import { changesOf, type Draft, readDraft } from "./draft.ts";
import { type Field, fieldsOf, type Schema } from "./fields.ts";

/** Of a feature, kept for old clients: stored values stay. */
const legacyOfFeatures = ["io", "script", "transform", "scores"];

type Settings = Readonly<Record<string, unknown>>;

export const settingsGroups = [
  "what",
  "often",
  "detection",
  "notified",
  "series",
  "training",
  "seasons",
] as const;
export type SettingsGroup = (typeof settingsGroups)[number];

/** Keys that the page shows elsewhere. */
const elsewhere = ["name", "type", "retrain"];
/** Kept for old clients. */
const legacy = ["threshold", "routing", "default_datasource", "default_datasink", "timestamp_field", "run"];
const groupOf: Readonly<Record<string, SettingsGroup>> = {
  features: "what",
  default_bucket: "what",
  bucket_interval: "often",
  interval: "often",
  offset: "often",
  span: "often",
  min_span: "often",
  max_span: "often",
  silence: "notified",
  watch_forecast: "notified",
  mute: "notified",
  group_by: "series",
  max_series: "series",
  series_ttl: "series",
  peers: "series",
  max_evals: "training",
  forecast: "training",
  forecaster: "training",
  seasonality: "seasons",
  holidays: "seasons",
  known_events: "seasons",
  timezone: "seasons",
};

/** Settings that most models leave out. */
const rare: Readonly<Record<string, readonly string[]>> = {
  "": [
    "interval",
    "min_span",
    "max_span",
    "detector",
    "score_scale",
    "notify_after",
    "expected_false_alarms_per",
  ],
  features: [
    ...["measurement", "query", "budget", "default", "min", "max", "limit"],
    ...["min_deviation", "only_if", "bucket"],
  ],
  mute: ["cron", "duration", "calendar", "until", "timezone", "series"],
};

/** @param list key of the list whose entries have the fields; empty: of the model itself */
function markRare(fields: readonly Field[], list = ""): readonly Field[] {
  return fields.map((field) => {
    const isRare = rare[list]?.includes(field.key) ?? false;
    if (field.kind !== "items") return { ...field, isRare };
    const shown = field.fields.filter(
      ({ key }) => field.key !== "features" || !legacyOfFeatures.includes(key),
    );
    return { ...field, isRare, fields: markRare(shown, field.key) };
  });
}

/** Fields of the schema of a model kind; settings without a group count as detection. */
export function modelFields(schema: Schema, state: ModelStateView): readonly Field[] {
  const hints: Readonly<Record<string, number | undefined>> = {
    max_threshold: state.thresholds?.max,
    min_threshold: state.thresholds?.min,
    span: state.span,
  };
  return markRare(fieldsOf(schema, "", [...elsewhere, ...legacy])).map((field) => {
    const hint = hints[field.key];
    return hint === undefined ? field : { ...field, hint: String(hint) };
  });
}

export function fieldsOfGroup(fields: readonly Field[], group: SettingsGroup): readonly Field[] {
  return fields.filter(({ key }) => (groupOf[key] ?? "detection") === group);
}

export interface SettingChange {
  readonly key: string;
  readonly before: unknown;
  /** Null: emptied. */
  readonly after: unknown;
  /** Whether it takes effect with the next training. */
  readonly needsTraining: boolean;
}

/** What a PATCH of the draft would change. */
export function listChanges(fields: readonly Field[], settings: Settings, draft: Draft): SettingChange[] {
  const patch = keepLegacy(changesOf(fields, readDraft(fields, settings), draft), settings);
  const trained = keysNeedingTraining(settings, { ...settings, ...patch });
  return Object.entries(patch).map(([key, after]) => ({
    key,
    before: settings[key],
    after,
    needsTraining: trained.includes(key),
  }));
}

/** Gives changed features what the form does not show of them, by their names. */
function keepLegacy(patch: Record<string, unknown>, { features = [] }: Settings): Record<string, unknown> {
  if (!Array.isArray(patch.features)) return patch;
  const stored = features as readonly Record<string, unknown>[];
  const kept = (name: unknown) =>
    Object.entries(stored.find((feature) => feature.name === name) ?? {}).filter(([key]) =>
      legacyOfFeatures.includes(key),
    );
  const list = patch.features as readonly Record<string, unknown>[];
  return {
    ...patch,
    features: list.map((feature) => ({ ...feature, ...Object.fromEntries(kept(feature.name)) })),
  };
}
