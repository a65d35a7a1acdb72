// Work budget: what one message or query may make is taken before it is made; long work pauses for that of others.
import { TorusError } from "../core/errors.ts";
import { createYielder } from "./steps.ts";

/** Most of one thing that a message or a query may make. */
export interface Cap {
  readonly most: number;
  /** Verb and noun around the number, as in `has more than 100 points`. */
  readonly verb: string;
  readonly noun: string;
  /** What the sender can do instead. */
  readonly advice: string;
}

export type Caps<Name extends string> = Readonly<Record<Name, Cap>>;

/** A message beyond a cap; its details `cap` and `limit` name it. */
export class CapError extends TorusError {
  /** The message without the place. */
  readonly rule: string;

  constructor(
    readonly cap: string,
    found: Cap,
  ) {
    super("invalid", `body: ${ruleOf(found)}`, { path: "body", cap, limit: found.most });
    this.rule = ruleOf(found);
  }
}

/** As in `has more than 100 points: send smaller batches`. */
export function ruleOf({ most, verb, noun, advice }: Cap): string {
  return `${verb} more than ${most} ${noun}: ${advice}`;
}

interface WorkOptions {
  /** Ends the work. */
  readonly signal?: AbortSignal;
  /** The error beyond a cap; default: a `CapError`. */
  readonly refuse?: (name: string, cap: Cap) => Error;
}

const never = new AbortController().signal;
/** Units of work between two looks at the clock: about a millisecond. */
const UNITS_PER_LOOK = 1000;

export class WorkBudget<Name extends string> {
  /** Ends the work. */
  readonly signal: AbortSignal;
  readonly #taken: Record<Name, number>;
  readonly #refuse: (name: string, cap: Cap) => Error;
  readonly #pace: () => Promise<void> | undefined;
  #units = 0;

  constructor(
    readonly caps: Caps<Name>,
    { signal = never, refuse = (name, cap) => new CapError(name, cap) }: WorkOptions = {},
  ) {
    this.#taken = Object.fromEntries(Object.keys(caps).map((name) => [name, 0])) as Record<Name, number>;
    this.#refuse = refuse;
    this.signal = signal;
    this.#pace = createYielder(signal);
  }

  /** Takes what is about to be made. @throws CapError, or the error of `refuse` */
  take(name: Name, amount = 1): void {
    const taken = this.#taken[name] + amount;
    // Not `>`: an amount that is no number is refused, too.
    if (!(taken <= this.caps[name].most)) throw this.#refuse(name, this.caps[name]);
    this.#taken[name] = taken;
    this.#units += amount;
  }

  /** Refuses one amount beyond a cap that holds for each by itself. @throws as `take` */
  check(name: Name, amount: number): void {
    if (!(amount <= this.caps[name].most)) throw this.#refuse(name, this.caps[name]);
  }

  /** What was taken so far. */
  taken(name: Name): number {
    return this.#taken[name];
  }

  /** Counts work without a cap of its own. */
  spend(units = 1): void {
    this.#units += units;
  }

  /** Whether it is time to call `pace`, by the work since the last call. */
  get isDue(): boolean {
    return this.#units >= UNITS_PER_LOOK;
  }

  /**
   * Yields to the event loop once the last pause is 10 ms ago.
   * @returns a promise to await, or undefined
   * @throws TorusError `canceled` or `deadline` if the signal is aborted
   */
  pace(): Promise<void> | undefined {
    this.#units = 0;
    return this.#pace();
  }
}
