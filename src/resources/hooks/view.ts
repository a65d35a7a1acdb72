// Hooks and deliveries as stored, and as the API shows them: without secrets.
import type { DeliveryView } from "../../api/hook.ts";
import { optionsOf } from "../../core/anomaly/hook-options.ts";
import type { HookSelector } from "../../core/anomaly/hook-selector.ts";
import { formatDate } from "../../core/time/time.ts";
import { type HookSettings, type HookType, receiverOf, viewHook } from "../../hooks/index.ts";
import type { DeliveryRow, HookContent } from "../../store/anomalies/deliveries.ts";
import type { HookRow } from "../../store/hooks.ts";

export interface HookView extends HookSettings {
  /** Of a global hook. */
  readonly selector?: HookSelector;
}

/** A hook without its secrets. */
export function viewStored({ selector, ...row }: HookRow): HookView {
  const view = viewHook(toHookSettings(row.name, row));
  if (!selector) return view;
  const { config, ...hook } = view;
  return { ...hook, selector, config };
}

/** Settings of a stored hook. */
export function toHookSettings(
  name: string,
  { kind, config, options }: Pick<HookContent, "kind" | "config" | "options">,
): HookSettings {
  return { name, type: kind as HookType, config, ...options };
}

/** Settings of a hook, to be stored. */
export function toHookContent(settings: HookSettings) {
  const { type: kind, config } = settings;
  return { kind, receiver: receiverOf(kind, config), config: { ...config }, options: optionsOf(settings) };
}

/** API view of a delivery; fields that do not apply are absent. */
export function viewDelivery(row: DeliveryRow): DeliveryView {
  const { id, resend, kind, state, attempts, event, lastError, lastErrorCode, createdAt, nextAt, endedAt } =
    row;
  return {
    id,
    ...(resend && { resend: true as const }),
    event: event.kind,
    anomaly: event.episode,
    ...(event.test && { test: true as const }),
    type: kind,
    state,
    attempts,
    ...(lastError && { error: lastError }),
    ...(lastErrorCode && { code: lastErrorCode }),
    created_date: formatDate(createdAt),
    created_timestamp: createdAt / 1000,
    ...(state === "waiting" && {
      next_attempt_date: formatDate(nextAt),
      next_attempt_timestamp: nextAt / 1000,
    }),
    ...(endedAt !== null && { end_date: formatDate(endedAt), end_timestamp: endedAt / 1000 }),
  };
}
