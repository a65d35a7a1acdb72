// Settings of models: check, merge, and what of them a trained version keeps.

import { checkSource } from "../../buckets/index.ts";
import { invalid } from "../../core/errors.ts";
import { isRecord } from "../../core/input/record.ts";
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

/** Settings of the buckets there are, by name. */
export type BucketsByName = ReadonlyMap<string, BucketSettings>;

/**
 * Checks what a client sent; legacy forms of `features` become one list, null for what may only be absent
 * is left out, all else stays as it was written.
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
 * Applies a PATCH: keys not given stay, null removes an optional one.
 * @throws TorusError `invalid` where the result breaks a rule or the name would change
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

/** Checks every metric against the bucket it will be read from, where that bucket exists. */
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
 * Settings for another training on intervals as long as before: `auto` is what the last training chose.
 * @param trained settings of the version that answers; absent: there is none, and `auto` stays
 */
export function keepInterval(current: ModelSettings, trained: ModelSettings | undefined): ModelSettings {
  if (!trained || !isAutoInterval(current)) return current;
  return { ...current, bucket_interval: trained.bucket_interval };
}

/** The job of a model must not take the place of another. @throws TorusError `invalid` */
export async function expectRetrainName(store: Store, model: string, settings: unknown): Promise<void> {
  if (!(settings as { retrain?: unknown } | null)?.retrain) return;
  const name = retrainJobName(model);
  const origin = await findOrigin(store, name);
  if (origin !== undefined && origin !== "model")
    throw invalid("retrain", `a scheduled job has the name ${name}, which is needed here: delete it first`);
}

/** Settings of all buckets: what the metrics of a model are checked against. */
export async function loadBuckets(store: Store): Promise<BucketsByName> {
  const rows = await listBuckets(store);
  return new Map(rows.map((row) => [row.name, row.settings]));
}
