// Hooks of models: settings, tests, deliveries.
import type { DeliveryView, GlobalHookView, HookPreviewView } from "../../api/hook.ts";
import { removeResource } from "./bin.ts";
import { request } from "./session.ts";

export type HookSettings = Pick<GlobalHookView, "name" | "type" | "config">;

const pathOf = (model: string, hook?: string) =>
  `/models/${encodeURIComponent(model)}/hooks${hook === undefined ? "" : `/${encodeURIComponent(hook)}`}`;

export function listHooks(model: string, signal: AbortSignal): Promise<readonly HookSettings[]> {
  return request(`${pathOf(model)}?full=true`, { signal });
}

/** Attaches or replaces; secrets that are left out stay. */
export function putHook(model: string, hook: HookSettings): Promise<unknown> {
  return request(pathOf(model, hook.name), { method: "PUT", body: hook });
}

/** @param refresh after an undo */
export function removeHook(model: string, hook: string, refresh: () => void): Promise<void> {
  return removeResource(pathOf(model, hook), hook, refresh);
}

/** Sends the start and the end of a test anomaly. */
export function testHook(model: string, hook: string): Promise<unknown> {
  return request(`${pathOf(model, hook)}/_test`, { method: "POST" });
}

/** What a hook would send about the last anomaly; nothing is stored. @throws Problem */
export function previewHook(model: string, hook: HookSettings): Promise<readonly HookPreviewView[]> {
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
  model: string,
  hook: string,
  signal: AbortSignal,
): Promise<readonly DeliveryView[]> {
  return request(`${pathOf(model, hook)}/deliveries`, { signal });
}

const POLL_MS = 300;
/** Reads until the outcome of a test counts as unknown. */
const MAX_READS = 10;

/** Sends a test and waits for it, some seconds at most. @returns whether an attempt has failed */
export async function tryHook(model: string, hook: string, signal: AbortSignal): Promise<boolean> {
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
