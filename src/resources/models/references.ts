// What the settings of a model refer to: the buckets there are, and the scheduled job that retrains it.
import { invalid } from "../../core/errors.ts";
import { retrainJobName } from "../../core/model/retrain.ts";
import { listBuckets } from "../../store/buckets.ts";
import type { Store } from "../../store/db/open.ts";
import { findOrigin } from "../../store/scheduled-jobs.ts";
import type { BucketsByName } from "./settings.ts";

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
