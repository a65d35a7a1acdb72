// Capacity: when features of live models and their series reach a limit, the earliest first.
import type { CapacityView } from "../api/server/capacity.ts";
import { formatSi, formatSpan } from "../core/formats/readable.ts";
import type { Listed } from "../core/input/listed.ts";
import { parseListing, showViews } from "../core/input/listing.ts";
import { parseTags } from "../core/model/series-text.ts";
import { DAY_MS, parseDuration } from "../core/time/time.ts";
import { storedSettings } from "../live/stored-settings.ts";
import { listUnits } from "../metrics/units.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Store } from "../store/db/open.ts";
import { readModels } from "../store/models.ts";
import { countOutlooks, listOutlooks, type OutlookQuery, type OutlookRow } from "../store/outlooks.ts";
import { findModels } from "./deliveries.ts";
import { given, type Params } from "./shared/range.ts";

/** Entries without pages. */
const MAX_LISTED = 1000;
/** Age from which an outlook tells nothing: it is renewed four times a day. */
export const MAX_AGE_MS = 2 * DAY_MS;

interface CapacityDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
}

export class Capacity {
  constructor(private readonly deps: CapacityDeps) {}

  /**
   * Limits that series of live models move towards, by date; those that are not predictable come last. Filtered by
   * `within`, `tags` and `model`, in pages.
   * @throws TorusError `invalid`, `not_found` (model)
   */
  async list(params: Params = {}): Promise<Listed> {
    const { store } = this.deps;
    const listing = parseListing({ ...params, sort: undefined });
    const query = await parseQuery(params, this.deps);
    const rows = await listOutlooks(store, query, listing.page ?? { from: 0, to: MAX_LISTED });
    const models = await readModels(store, [...new Set(rows.map(({ model }) => model))]);
    const views = rows.flatMap((row) => {
      const model = models.get(row.model);
      return model ? [viewOutlook(row, listUnits(storedSettings(model).settings)[row.feature])] : [];
    });
    return showViews(views, listing, { total: await countOutlooks(store, query) });
  }
}

async function parseQuery(params: Params, { store, clock }: CapacityDeps): Promise<OutlookQuery> {
  const within = given(params, "within");
  const nowAt = clock.now();
  const tags = given(params, "tags");
  const models = await findModels(store, params);
  return {
    madeAt: nowAt - MAX_AGE_MS,
    ...(within !== undefined && { untilAt: nowAt + parseDuration(within, "within") }),
    ...(tags !== undefined && { series: parseTags(String(tags), "tags") }),
    ...(models && { models }),
  };
}

function viewOutlook(row: OutlookRow, unit: string | undefined): CapacityView {
  const { model, series, feature, bound, type, source, value, perDay, madeAt } = row;
  const { isPredictable: predictable, hits: right, cases: of, reachedAt, earliestAt, latestAt } = row;
  const dates = {
    date: reachedAt / 1000,
    earliest: earliestAt / 1000,
    latest: latestAt === null ? null : latestAt / 1000,
  };
  return {
    ...{ model, ...(series && { series }), feature, ...(unit && { unit }) },
    limit: { value: bound, type, source },
    ...{ now: value, per_day: perDay, predictable, ...(predictable && dates) },
    backtest: { right, of },
    reasons: reasonsOf(row, unit),
    made: madeAt / 1000,
  };
}

/** The outlook in words. */
function reasonsOf(row: OutlookRow, unit: string | undefined): string[] {
  const { perDay, hits, cases, isPredictable, madeAt, reachedAt } = row;
  const rate = `${formatSi(Number(Math.abs(perDay).toPrecision(2)), { unit })} a day`;
  const leftMs = reachedAt - madeAt;
  const left = leftMs < 2 * DAY_MS ? formatSpan(leftMs) : `${Number((leftMs / DAY_MS).toPrecision(2))} days`;
  const move = `${perDay < 0 ? "falls" : "rises"} by ${rate}`;
  const trust = `earlier dates were right within 20 % of the lead in ${hits} of ${cases} cases`;
  return isPredictable ? [`${move}: ${left} left`, trust] : [move, `not predictable: ${trust}`];
}
