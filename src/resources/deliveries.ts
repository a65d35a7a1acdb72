// Deliveries of all hooks, newest first: those of models and the global ones.
import type { HookDeliveryView } from "../api/hook.ts";
import { invalid } from "../core/errors.ts";
import type { Listed } from "../core/input/listed.ts";
import { parseListing, showViews } from "../core/input/listing.ts";
import { splitNames } from "../core/input/name.ts";
import { parseDate } from "../core/time/time.ts";
import type { Clock } from "../runtime/clock.ts";
import {
  countAllDeliveries,
  type DeliveryQuery,
  type DeliveryRow,
  deliveryStates,
  listAllDeliveries,
} from "../store/anomalies/deliveries.ts";
import type { Store } from "../store/db/open.ts";
import { loadModel } from "../store/models.ts";
import { listHookStates } from "./hooks/states.ts";
import { viewDelivery } from "./hooks/view.ts";
import { given, type Params } from "./shared/range.ts";

export { deliveryStates };

/** Shown without a page. */
const DEFAULT_PAGE = { from: 0, to: 100 };

interface DeliveriesDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
}

export class Deliveries {
  constructor(private readonly deps: DeliveriesDeps) {}

  /**
   * Deliveries by `state`, `model` and `since`, in pages; without a page the newest 100.
   * @throws TorusError `invalid`
   */
  async list(params: Params): Promise<Listed> {
    const { store, clock } = this.deps;
    const listing = parseListing({ ...params, sort: undefined });
    const query = parseQuery(params, clock.now());
    const rows = await listAllDeliveries(store, query, listing.page ?? DEFAULT_PAGE);
    return showViews(rows.map(viewHookDelivery), listing, { total: await countAllDeliveries(store, query) });
  }

  /** The hooks of all models and the global ones, with their last deliveries. @throws TorusError `invalid` */
  hooks(params: Params): Promise<Listed> {
    return listHookStates(this.deps, params);
  }
}

/** @throws TorusError `invalid` */
function parseQuery(params: Params, nowAt: number): DeliveryQuery {
  const states = parseStates(given(params, "state"));
  const models = parseModels(params);
  const since = given(params, "since");
  return {
    ...(states && { states }),
    ...(models && { models }),
    ...(since !== undefined && { sinceAt: parseDate(since, nowAt, "since") }),
  };
}

/** @throws TorusError `invalid` */
function parseStates(value: unknown): DeliveryQuery["states"] {
  if (value === undefined) return undefined;
  const words = typeof value === "string" ? value.split(";") : [];
  const found = words.map((word) => deliveryStates.find((state) => state === word));
  if (found.length === 0 || found.includes(undefined))
    throw invalid("state", `must be some of ${deliveryStates.join(";")}`);
  return found as NonNullable<(typeof found)[number]>[];
}

/** `model`: names separated by `;`, those of deleted models too. @throws TorusError `invalid` */
export function parseModels(params: Params): string[] | undefined {
  const value = given(params, "model");
  if (value === undefined) return undefined;
  if (typeof value !== "string") throw invalid("model", "must be names separated by ;");
  const names = splitNames(value, "model");
  if (names.length > 100) throw invalid("model", "must be at most 100 names");
  return names;
}

/** As `parseModels`, of models that there are. @throws TorusError `invalid`, `not_found` */
export async function findModels(store: Store, params: Params): Promise<string[] | undefined> {
  const names = parseModels(params);
  for (const name of names ?? []) await loadModel(store, name);
  return names;
}

/** View of a delivery beside those of other hooks. */
export function viewHookDelivery(row: DeliveryRow): HookDeliveryView {
  return {
    model: row.model,
    hook: row.hook,
    ...(row.isGlobal && { global: true as const }),
    ...viewDelivery(row),
  };
}
