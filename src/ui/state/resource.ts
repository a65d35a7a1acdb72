// Values of the server that are read again and again while the page is visible.
import { type ReadonlySignal, signal } from "@preact/signals";
import { Problem } from "../api/client.ts";
import { type ChangeType, isFollowing, onChange } from "./events.ts";

/** Usual least time between two reads that changes cause. */
const BURST_MS = 2000;
/** Longest time between two reads while changes are followed: ages on the page grow old. */
const SLOW_MS = 60_000;

export interface Loaded<T> {
  readonly value?: T;
  /** Of the last attempt; the value before it stays. */
  readonly problem?: Problem;
}

export interface Resource<T> {
  readonly loaded: ReadonlySignal<Loaded<T>>;
  /** Reads now. */
  readonly refresh: () => Promise<void>;
  /**
   * Begins to read: at changes of the types while the server announces them, otherwise every `everyMs`.
   * @param burstMs least time between two reads that changes cause
   * @returns a function that ends it
   */
  readonly follow: (everyMs: number, types: readonly ChangeType[], burstMs?: number) => () => void;
}

/** @param read its signal aborts a read that another has replaced */
export function createResource<T>(read: (signal: AbortSignal) => Promise<T>): Resource<T> {
  const loaded = signal<Loaded<T>>({});
  let running: AbortController | undefined;
  let readAt = 0;
  const refresh = async () => {
    readAt = Date.now();
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
  const follow = (everyMs: number, types: readonly ChangeType[], burstMs = BURST_MS) => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const read = () => {
      clearTimeout(waiting);
      waiting = undefined;
      if (!document.hidden) void refresh();
    };
    const tick = () => {
      if (!isFollowing.value || Date.now() - readAt > SLOW_MS) read();
    };
    // Changes come in bursts: one read for all of them.
    const stop = onChange(types, () => {
      waiting ??= setTimeout(read, Math.max(0, readAt + burstMs - Date.now()));
    });
    read();
    const timer = setInterval(tick, everyMs);
    document.addEventListener("visibilitychange", read);
    return () => {
      stop();
      clearTimeout(waiting);
      clearInterval(timer);
      document.removeEventListener("visibilitychange", read);
      running?.abort();
      running = undefined;
    };
  };
  return { loaded, refresh, follow };
}
