// Labels of models: ranges marked as anomalous or normal; trainings and backtests use them.
import type { LabelView } from "../api/label.ts";
import { checkLabel } from "../core/anomaly/stored-label.ts";
import type { Listed } from "../core/input/listed.ts";
import { parseListing, showViews } from "../core/input/listing.ts";
import type { Clock } from "../runtime/clock.ts";
import {
  countLabels,
  insertLabel,
  type LabelQuery,
  type LabelRow,
  listLabels,
  removeLabel,
} from "../store/anomalies/labels.ts";
import type { Store } from "../store/db/open.ts";
import { loadModel } from "../store/models.ts";
import { parseSeriesParam } from "./models/params.ts";
import { type Params, parseEnds } from "./shared/range.ts";

interface LabelDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
}

export class Labels {
  constructor(private readonly deps: LabelDeps) {}

  /**
   * Labels by start, of those that overlap `from`..`to` and concern `series`, in pages.
   * @throws TorusError `not_found`, `invalid`, `not_supported`
   */
  async list(model: string, params: Params = {}): Promise<Listed> {
    const { store, clock } = this.deps;
    const { settings } = await loadModel(store, model);
    const listing = parseListing({ ...params, sort: undefined });
    const query: LabelQuery = {
      model,
      ...parseEnds(params, clock.now()),
      ...parseSeriesParam(settings, params),
    };
    const rows = await listLabels(store, query, listing.page);
    const total = listing.page && (await countLabels(store, query));
    return showViews(rows.map(viewLabel), listing, { total });
  }

  /** Adds a label, unless there is one that says the same. @returns its view. @throws TorusError `not_found`, `invalid`, `not_supported` */
  async create(model: string, body: unknown): Promise<LabelView> {
    const { store, clock } = this.deps;
    const { settings } = await loadModel(store, model);
    const nowAt = clock.now();
    const label = checkLabel(body, { settings, nowAt });
    const id = crypto.randomUUID();
    return viewLabel(await insertLabel(store, { ...label, id, model, at: nowAt }));
  }

  /** @throws TorusError `not_found` (model, label) */
  async remove(model: string, id: string): Promise<void> {
    await loadModel(this.deps.store, model);
    await removeLabel(this.deps.store, { model, id });
  }
}

function viewLabel({ id, fromAt, toAt, anomaly, feature, note, series, createdAt }: LabelRow): LabelView {
  return {
    id,
    from: fromAt / 1000,
    to: toAt / 1000,
    anomaly,
    ...(feature !== null && { feature }),
    ...(note !== null && { note }),
    ...(series !== null && { series }),
    created_timestamp: createdAt / 1000,
  };
}
