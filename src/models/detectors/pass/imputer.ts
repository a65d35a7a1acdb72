// Imputer of a pass: expected values take the place of missing points and of those of anomalies.
import type { EnsembleInput } from "../ensemble-input.ts";
import type { DetectionRules } from "../rules.ts";
import type { Seasonal } from "../seasons/seasonal.ts";
import type { Ensemble } from "../types.ts";
import { GapFiller } from "./gap-filler.ts";
import type { ImputedSeries } from "./imputed-series.ts";
import type { KnownSeries } from "./known-series.ts";

interface ImputerParts {
  readonly ensemble: Pick<Ensemble, "linear" | "seasonal" | "history">;
  readonly input: Pick<EnsembleInput, "timeline" | "column" | "network">;
  readonly imputed: ImputedSeries;
  readonly known: KnownSeries;
  readonly seasonal: Seasonal;
  readonly rules: DetectionRules;
}

export class Imputer {
  readonly #gaps: GapFiller;

  constructor(private readonly parts: ImputerParts) {
    const { ensemble, input, imputed, seasonal } = parts;
    const { timeline, column } = input;
    this.#gaps = new GapFiller({ ensemble, timeline, column, imputed, usual: (i) => seasonal.expect(i) });
  }

  /** The expectation of the network, or of the seasonal detector without it. */
  expect(i: number): number {
    const expected = this.parts.input.network.expected[i]!;
    return Number.isFinite(expected) ? expected : this.parts.seasonal.expect(i);
  }

  /** Fills the place of a point that cannot be scored. */
  fill(i: number): void {
    const { input, imputed } = this.parts;
    const expected = Number.isNaN(input.column[i]!) ? this.#gaps.expect(i) : undefined;
    if (expected === undefined) this.replace(i);
    else imputed.impute(i, expected);
  }

  /** Fills the gap before a point anew, now that its other end is known. */
  bridge(i: number): void {
    const { imputed, known } = this.parts;
    const values = this.#gaps.bridge(i);
    for (const [k, value] of values.entries()) imputed.impute(i - values.length + k, value);
    known.replaceLast(values);
  }

  /**
   * Replaces the value by the expectation, also a missing one. One that is usual at its time is kept: an expectation
   * that is less exact would be odd, and sustain an anomaly that is over.
   */
  replace(i: number): void {
    const { ensemble, input, imputed, seasonal, rules } = this.parts;
    const near = Math.max(ensemble.seasonal.scale, rules.resolution * ensemble.linear.scale);
    if (Math.abs(input.column[i]! - seasonal.expect(i)) <= near) return;
    imputed.impute(i, this.expect(i));
  }
}
