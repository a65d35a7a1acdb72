// The address of the page as a signal, and navigation.
import { signal } from "@preact/signals";
import { buildRoute, parseRoute, type Route } from "../lib/route.ts";

export const route = signal<Route>(parseRoute(location.hash));

/** Follows the address bar. */
export function followRoute(): void {
  addEventListener("hashchange", () => {
    route.value = parseRoute(location.hash);
  });
}

export function goTo(path: readonly string[], params?: Readonly<Record<string, string | undefined>>): void {
  location.hash = buildRoute(path, params);
}

/** Replaces parameters of the current address, without an entry of the history. */
export function setParams(changed: Readonly<Record<string, string | undefined>>): void {
  const { path, params } = route.value;
  history.replaceState(null, "", buildRoute(path, { ...params, ...changed }));
  route.value = parseRoute(location.hash);
}
