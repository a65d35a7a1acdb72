// Late tops: the greatest surprise of each detector but for the last day, so that what rises step by step stays rare; pure.
import { DAY_MS } from "../../../core/time/time.ts";
import type { DetectorName, LateMemory, PerDetector } from "../types.ts";

/** Points of one part become known together. */
const PART_MS = DAY_MS / 4;

export class LateTops {
  #known: PerDetector<number>;
  #parts: LateMemory["parts"];

  /** @param known greatest surprises before, decades; those of the memory replace them */
  constructor(known: PerDetector<number>, memory?: LateMemory) {
    this.#known = memory?.known ?? known;
    this.#parts = memory?.parts ?? [];
  }

  /** The greatest surprise that is a day old, decades. */
  of(name: DetectorName): number {
    return this.#known[name] ?? 0;
  }

  /** @param at start of the interval, ms since the epoch */
  add(at: number, surprises: PerDetector<number>): void {
    const first = this.#parts[0];
    if (first && at - first.fromAt >= DAY_MS + PART_MS) {
      this.#known = greatest(this.#known, first.tops);
      this.#parts = this.#parts.slice(1);
    }
    const last = this.#parts.at(-1);
    const isOpen = last !== undefined && at - last.fromAt < PART_MS;
    const own = this.#above(surprises);
    if (Object.keys(own).length === 0) return;
    const part = isOpen ? { ...last, tops: greatest(last.tops, own) } : { fromAt: at, tops: own };
    this.#parts = [...(isOpen ? this.#parts.slice(0, -1) : this.#parts), part];
  }

  /** Of an anomaly whose points count as normal from now on. */
  accept(surprises: PerDetector<number>): void {
    this.#known = greatest(this.#known, this.#above(surprises));
  }

  toMemory(): LateMemory {
    return { known: this.#known, parts: this.#parts };
  }

  /** Those that exceed what is known. */
  #above(surprises: PerDetector<number>): PerDetector<number> {
    const names = Object.keys(this.#known) as DetectorName[];
    const entries = names.map((name) => [name, surprises[name]] as const);
    return Object.fromEntries(entries.filter(([name, own]) => own !== undefined && own > this.of(name)));
  }
}

function greatest(tops: PerDetector<number>, others: PerDetector<number>): PerDetector<number> {
  const names = Object.keys({ ...tops, ...others }) as DetectorName[];
  return Object.fromEntries(names.map((name) => [name, Math.max(tops[name] ?? 0, others[name] ?? 0)]));
}
