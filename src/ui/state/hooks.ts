// Hooks of models and global ones: settings, tests, deliveries.
import type { DeliveryView, GlobalHookView, HookPreviewView, HookStateView } from "../../api/hook.ts";
import { muteOnce } from "../lib/anomalies/mute-once.ts";
import { removeResource } from "./bin.ts";
import { serverNow } from "./clock.ts";
import { createResource } from "./resource.ts";
import { request } from "./session.ts";

/** With a selector where the hook is a global one. */
export type HookSettings = Pick<GlobalHookView, "name" | "type" | "config" | "selector" | "mute">;

/** Model of a hook; undefined: the hook is a global one. */
export type HookOwner = string | undefined;

const pathOf = (model: HookOwner, hook?: string) =>
  `${model === undefined ? "" : `/models/${encodeURIComponent(model)}`}/hooks${hook === undefined ? "" : `/${encodeURIComponent(hook)}`}`;

/** Those of a global hook name their model. */
export type HookDelivery = DeliveryView & { readonly model?: string };

/** Hooks of all models and global ones, with their last deliveries. */
export const hookStates = createResource((signal) =>
  request<readonly HookStateView[]>("/hooks/_states", { signal }),
);

export function listHooks(model: HookOwner, signal: AbortSignal): Promise<readonly HookSettings[]> {
  return request(`${pathOf(model)}?full=true`, { signal });
}

/** Attaches or replaces; secrets that are left out stay. */
export function putHook(model: HookOwner, hook: HookSettings): Promise<unknown> {
  return request(pathOf(model, hook.name), { method: "PUT", body: hook });
}

/** Mutes a hook for some hours, beside its other windows. */
export async function muteHook(model: HookOwner, hook: HookSettings, hours: number): Promise<void> {
  await putHook(model, { ...hook, mute: [...lasting(hook), muteOnce(hours, serverNow())] });
  await hookStates.refresh();
}

/** Ends what mutes a hook until an instant. */
export async function unmuteHook(model: HookOwner, hook: HookSettings): Promise<void> {
  await putHook(model, { ...hook, mute: lasting(hook) });
  await hookStates.refresh();
}

/** The windows that come again. */
const lasting = ({ mute = [] }: HookSettings) => mute.filter(({ until }) => until === undefined);

/** @param refresh after an undo */
export function removeHook(model: HookOwner, hook: string, refresh: () => void): Promise<void> {
  return removeResource(pathOf(model, hook), hook, refresh);
}

/** Sends the start and the end of a test anomaly. */
export function testHook(model: HookOwner, hook: string): Promise<unknown> {
  return request(`${pathOf(model, hook)}/_test`, { method: "POST" });
}

/** What a hook would send about the last anomaly; nothing is stored. @throws Problem */
export function previewHook(model: HookOwner, hook: HookSettings): Promise<readonly HookPreviewView[]> {
  return request(pathOf(model, "_preview"), { method: "POST", body: hook });
}

/** What a stored global hook would send about the last anomaly that its selector matches. @throws Problem */
export async function previewGlobalHook(
  name: string,
  signal: AbortSignal,
): Promise<readonly HookPreviewView[]> {
  const hook = await request<HookSettings>(`/hooks/${encodeURIComponent(name)}`, { signal });
  return request("/hooks/_preview", { method: "POST", body: hook, signal });
}

/** The newest first. */
export function listDeliveries(
  model: HookOwner,
  hook: string,
  signal: AbortSignal,
): Promise<readonly HookDelivery[]> {
  return request(`${pathOf(model, hook)}/deliveries`, { signal });
}

const POLL_MS = 300;
/** Reads until the outcome of a test counts as unknown. */
const MAX_READS = 10;

/** Sends a test and waits for it, some seconds at most. @returns whether an attempt has failed */
export async function tryHook(model: HookOwner, hook: string, signal: AbortSignal): Promise<boolean> {
  await testHook(model, hook);
  for (let i = 0; i < MAX_READS; i++) {
    const tests = (await listDeliveries(model, hook, signal)).filter(({ test }) => test);
    if (tests.some(({ error }) => error !== undefined)) return true;
    if (tests.every(({ state }) => state === "sent")) return false;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    signal.throwIfAborted();
  }
  return false;
}
