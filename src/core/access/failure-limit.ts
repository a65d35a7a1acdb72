// Rate limit on failures: a count per address and window, for a bounded number of addresses.
import { ipv6Groups } from "./host.ts";

interface FailureLimits {
  /** Failures in one window after which an address waits for its end. */
  readonly failures: number;
  readonly windowMs: number;
  /** Addresses tracked; beyond, the one whose window began first is dropped. */
  readonly addresses: number;
}

interface FailureWindow {
  readonly startAt: number;
  failures: number;
}

export class FailureLimit {
  /** In order of their start, so that the first window ends first. */
  readonly #windows = new Map<string, FailureWindow>();

  constructor(private readonly limits: FailureLimits) {}

  /** Number of addresses tracked. */
  get size(): number {
    return this.#windows.size;
  }

  /** How long an address has to wait, ms; 0 if it may try now. @param nowAt ms since the epoch */
  waitMs(address: string, nowAt: number): number {
    if (this.#windows.size === 0) return 0;
    const window = this.#find(keyOfAddress(address), nowAt);
    if (!window || window.failures < this.limits.failures) return 0;
    return window.startAt + this.limits.windowMs - nowAt;
  }

  /** Counts a failure. @param nowAt ms since the epoch */
  record(address: string, nowAt: number): void {
    const key = keyOfAddress(address);
    const window = this.#find(key, nowAt);
    if (window) {
      window.failures++;
      return;
    }
    if (this.#windows.size >= this.limits.addresses) this.#dropFirst();
    this.#windows.set(key, { startAt: nowAt, failures: 1 });
  }

  /** The current window of an address. A clock that went back ends it. */
  #find(key: string, nowAt: number): FailureWindow | undefined {
    const window = this.#windows.get(key);
    if (!window) return undefined;
    const age = nowAt - window.startAt;
    if (age >= 0 && age < this.limits.windowMs) return window;
    this.#windows.delete(key);
    return undefined;
  }

  #dropFirst(): void {
    for (const key of this.#windows.keys()) {
      this.#windows.delete(key);
      return;
    }
  }
}

/** Key of an address: a client usually owns a whole IPv6 /64; `::ffff:1.2.3.4` counts as 1.2.3.4. */
export function keyOfAddress(address: string): string {
  const text = address.toLowerCase().split("%")[0]!;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  if (mapped) return mapped[1]!;
  const groups = ipv6Groups(text)?.slice(0, 4);
  return groups ? `${groups.map((group) => group.toString(16)).join(":")}::/64` : text;
}
