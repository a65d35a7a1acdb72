// States of all hooks, global ones first: target and last delivery.
import type { HookStateView } from "../api/hook.ts";
import { hookTarget } from "../core/anomaly/hook-target.ts";
import { listViews } from "../core/input/listing.ts";
import { viewHook } from "../hooks/index.ts";
import { type DeliveryRow, listLastDeliveries } from "../store/anomalies/deliveries.ts";
import type { Store } from "../store/db/open.ts";
import { listGlobalHooks } from "../store/global-hooks.ts";
import { listAllHooks } from "../store/hooks.ts";
import { toHookSettings, viewDelivery } from "./hooks.ts";
import type { Params } from "./shared/range.ts";

/** All hooks, the global ones first, then by model and name. @throws TorusError `invalid` for bad list parameters */
export async function listHookStates(store: Store, params: Params): Promise<object[]> {
  const lastOf = new Map((await listLastDeliveries(store)).map((row) => [keyOf(row, row.hook), row]));
  const globals = (await listGlobalHooks(store)).map(({ name, selector, ...row }) => ({
    global: true as const,
    selector,
    ...viewState(name, row, lastOf.get(keyOf({ model: "", isGlobal: true }, name))),
  }));
  const own = (await listAllHooks(store)).map(({ model, name, ...row }) => ({
    model,
    ...viewState(name, row, lastOf.get(keyOf({ model, isGlobal: false }, name))),
  }));
  return listViews([...globals, ...own], params, {});
}

function keyOf({ model, isGlobal }: Pick<DeliveryRow, "model" | "isGlobal">, hook: string): string {
  return isGlobal ? hook : `${model}/${hook}`;
}

function viewState(
  name: string,
  row: Parameters<typeof toHookSettings>[1],
  last: DeliveryRow | undefined,
): Pick<HookStateView, "name" | "type" | "target" | "last_delivery"> {
  const { type, config } = viewHook(toHookSettings(name, row));
  const target = hookTarget(config);
  return {
    name,
    type,
    target: target === "" ? null : target,
    ...(last && { last_delivery: { model: last.model, ...viewDelivery(last) } }),
  };
}
