// The address of the page as a signal, and navigation.
import { signal } from "@preact/signals";
import { buildRoute, parseRoute, type Route } from "../lib/route.ts";

const readAddress = () => parseRoute(location.hash);

export const route = signal<Route>(readAddress());

/** Follows the address bar. */
export function followRoute(): void {
  addEventListener("hashchange", () => {
    route.value = readAddress();
  });
}

export function goTo(path: readonly string[], params?: Readonly<Record<string, string | undefined>>): void {
  location.hash = buildRoute(path, params);
}

/** Replaces parameters of the current address, without an entry of the history. */
export function setParams(changed: Readonly<Record<string, string | undefined>>): void {
  // The address may have gone on, its event yet to come: a page that is left must not take it back.
  const { path, params } = readAddress();
  history.replaceState(null, "", buildRoute(path, { ...params, ...changed }));
  route.value = readAddress();
}
