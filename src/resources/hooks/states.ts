// States of all hooks, global ones first: target, last delivery and mute.
import type { HookStateView } from "../../api/hook.ts";
import { hookMutedUntil } from "../../core/anomaly/hook-options.ts";
import { hookTarget } from "../../core/anomaly/hook-target.ts";
import type { Listed } from "../../core/input/listed.ts";
import { listViews } from "../../core/input/listing.ts";
import { viewHook } from "../../hooks/index.ts";
import type { Clock } from "../../runtime/clock.ts";
import {
  type DeliveryRow,
  type HookRef,
  listLastDeliveries,
  refOf,
} from "../../store/anomalies/deliveries.ts";
import type { Store } from "../../store/db/open.ts";
import { type HookRow, listAllHooks } from "../../store/hooks.ts";
import type { Params } from "../shared/range.ts";
import { toHookSettings, viewDelivery } from "./view.ts";

/** All hooks, the global ones first, then by model and name. @throws TorusError `invalid` for bad list parameters */
export async function listHookStates(
  { store, clock }: { readonly store: Store; readonly clock: Pick<Clock, "now"> },
  params: Params,
): Promise<Listed> {
  const nowAt = clock.now();
  const lastOf = new Map((await listLastDeliveries(store)).map((row) => [keyOf(refOf(row)), row]));
  const views = (await listAllHooks(store)).map((hook) => viewState(hook, lastOf.get(keyOf(hook)), nowAt));
  return listViews(views, params, {});
}

function keyOf({ model, name }: HookRef): string {
  return model === null ? name : `${model}/${name}`;
}

function viewState(hook: HookRow, last: DeliveryRow | undefined, nowAt: number): HookStateView {
  const { model, selector, options } = hook;
  const mutedUntil = hookMutedUntil(options, nowAt);
  const { name, type, config } = viewHook(toHookSettings(hook.name, hook));
  const target = hookTarget(config);
  return {
    ...(model === null ? { global: true, selector: selector! } : { model }),
    name,
    type,
    target: target === "" ? null : target,
    ...(mutedUntil !== undefined && { muted_until: mutedUntil / 1000 }),
    ...(last && { last_delivery: { model: last.model, ...viewDelivery(last) } }),
  };
}
