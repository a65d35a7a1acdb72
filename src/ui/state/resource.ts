// Values of the server that are read again and again while the page is visible.
import { type ReadonlySignal, signal } from "@preact/signals";
import { Problem } from "../api/client.ts";

export interface Loaded<T> {
  readonly value?: T;
  /** Of the last attempt; the value before it stays. */
  readonly problem?: Problem;
}

export interface Resource<T> {
  readonly loaded: ReadonlySignal<Loaded<T>>;
  /** Reads now. */
  readonly refresh: () => Promise<void>;
  /** Begins to read every `everyMs`. @returns a function that ends it */
  readonly follow: (everyMs: number) => () => void;
}

/** @param read its signal aborts a read that another has replaced */
export function createResource<T>(read: (signal: AbortSignal) => Promise<T>): Resource<T> {
  const loaded = signal<Loaded<T>>({});
  let running: AbortController | undefined;
  const refresh = async () => {
    running?.abort();
    const own = new AbortController();
    running = own;
    try {
      const value = await read(own.signal);
      if (running === own) loaded.value = { value };
    } catch (error) {
      if (running !== own) return;
      if (!(error instanceof Problem)) throw error;
      loaded.value = { ...loaded.value, problem: error };
    }
  };
  const follow = (everyMs: number) => {
    const tick = () => {
      if (!document.hidden) void refresh();
    };
    tick();
    const timer = setInterval(tick, everyMs);
    document.addEventListener("visibilitychange", tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", tick);
      running?.abort();
      running = undefined;
    };
  };
  return { loaded, refresh, follow };
}
