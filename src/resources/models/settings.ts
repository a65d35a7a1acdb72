// Settings of models: checks, merges, and references to buckets and scheduled jobs.
import { checkSource } from "../../buckets/index.ts";
import { invalid } from "../../core/errors.ts";
import { isRecord } from "../../core/input/json.ts";
import { check } from "../../core/input/schema.ts";
import { isAutoInterval } from "../../core/model/bucket-interval.ts";
import type { BucketSettings } from "../../core/model/bucket-settings.ts";
import type { Feature } from "../../core/model/feature.ts";
import { tidyModel } from "../../core/model/input.ts";
import { bucketOf, ModelSettings } from "../../core/model/model.ts";
import { retrainJobName } from "../../core/model/retrain.ts";
import { checkModelRules } from "../../core/model/rules.ts";
import { listBuckets } from "../../store/buckets.ts";
import type { Store } from "../../store/db/open.ts";
import { findOrigin } from "../../store/scheduled-jobs.ts";

/** Settings of the stored buckets, by name. */
export type BucketsByName = ReadonlyMap<string, BucketSettings>;

/**
 * Checks the settings a client sent. Legacy forms of `features` become one list, null for an optional key is dropped,
 * everything else stays as written.
 * @throws TorusError `invalid` with the path and the rule
 */
export function checkModel(body: unknown, buckets: BucketsByName): ModelSettings {
  if (!isRecord(body))
    throw invalid("body", "must be a JSON object with name, type, features and bucket_interval");
  const settings = check(ModelSettings, tidyModel(body));
  checkModelRules(settings);
  checkMetrics(settings, buckets);
  return settings;
}

/**
 * Applies a PATCH: missing keys stay, null removes an optional one.
 * @throws TorusError `invalid` if the result breaks a rule or the name would change
 */
export function mergeModel(
  old: Record<string, unknown>,
  patch: unknown,
  buckets: BucketsByName,
): ModelSettings {
  if (!isRecord(patch)) throw invalid("body", "must be a JSON object: the settings to change");
  if (patch.name !== undefined && patch.name !== old.name)
    throw invalid("name", "cannot be changed; create another model instead");
  const merged = new Map(Object.entries(old));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  return checkModel(Object.fromEntries(merged), buckets);
}

/** Checks every metric against the bucket it is read from, if that bucket exists. */
function checkMetrics(settings: ModelSettings, buckets: BucketsByName): void {
  for (const [index, feature] of settings.features.entries()) {
    const bucket = buckets.get(bucketOfFeature(feature, bucketOf(settings)) ?? "");
    if (!bucket) continue;
    checkSource(bucket, feature, `features.${index}`);
  }
}

/** Name of the bucket a feature is read from. */
export function bucketOfFeature(feature: Feature, fallback: string | undefined): string | undefined {
  return feature.bucket || fallback;
}

/**
 * Replaces an `auto` interval by the one that the last training chose.
 * @param trained settings of the active version; absent: there is none, and `auto` stays
 */
export function keepInterval(current: ModelSettings, trained: ModelSettings | undefined): ModelSettings {
  if (!trained || !isAutoInterval(current)) return current;
  return { ...current, bucket_interval: trained.bucket_interval };
}

/** Refuses `retrain` if the name of its job is taken. @throws TorusError `invalid` */
export async function assertRetrainName(store: Store, model: string, settings: unknown): Promise<void> {
  if (!(settings as { retrain?: unknown } | null)?.retrain) return;
  const name = retrainJobName(model);
  const origin = await findOrigin(store, name);
  if (origin !== undefined && origin !== "model")
    throw invalid(
      "retrain",
      `a scheduled job has the name ${name}, which retrain of this model needs: delete it first`,
    );
}

/** Settings of all buckets, by name. */
export async function loadBuckets(store: Store): Promise<BucketsByName> {
  const rows = await listBuckets(store);
  return new Map(rows.map((row) => [row.name, row.settings]));
}
