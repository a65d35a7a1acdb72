// Rarity of the stretch that ends at a point, by long windows and by fading: locates anomalies better, but later; pure.
import { DECADES } from "../../scoring/score.ts";
import { tailDecades } from "../../stats/tail.ts";
import type { Neighbours } from "../neighbours/neighbours.ts";
import { LONGEST_SPAN } from "../neighbours/quanta.ts";
import type { DetectionRules } from "../rules.ts";
import type { Ensemble, Memory } from "../types.ts";
import { CausalRank } from "./rank.ts";

/** Points in which a rarity fades: the middle window of the point score. */
const FADING_POINTS = 10;
/** Exponent of the mean that fades: a plain mean (1) would hide a few rare points among many normal ones. */
const FADING_POWER = 2.5;

export class RangeRank {
  readonly #rank: CausalRank | undefined;
  /** Exponentially weighted mean of the powers of the rarities. */
  #fading: number;

  /** @param ranged whether to rank; otherwise the memory is kept as it is */
  constructor(
    private readonly ensemble: Pick<Ensemble, "range">,
    private readonly memory: Pick<Memory, "rangeRanks" | "rangeFading"> | undefined,
    private readonly neighbours: Neighbours,
    private readonly options: { readonly ranged: boolean; readonly detection: DetectionRules },
  ) {
    const { range } = ensemble;
    const { ranged, detection } = options;
    if (ranged && range) this.#rank = new CausalRank(memory?.rangeRanks ?? range.ranks, detection);
    this.#fading = memory?.rangeFading ?? 0;
  }

  /**
   * Rarity of the stretch, decades: at least that of the point, and of earlier stretches as far as it has not faded.
   * @param z the value, in deviations
   * @param point rarity of the point, decades
   * @param windows as `point`, by the longest windows of the point score
   */
  rank(z: number, { point, windows: own }: { point: number; windows: readonly number[] }): number {
    if (!this.options.ranged) return point;
    const windows = [...own, this.#rankLong(z)].filter((rarity) => rarity !== undefined);
    const rarity = Math.max(point, windows.reduce((sum, one) => sum + one, 0) / Math.max(1, windows.length));
    const power = Math.min(DECADES, Math.max(0, rarity)) ** FADING_POWER;
    this.#fading += (power - this.#fading) / FADING_POINTS;
    return Math.max(rarity, this.#fading ** (1 / FADING_POWER));
  }

  toMemory(): Pick<Memory, "rangeRanks" | "rangeFading"> {
    const rangeRanks = this.#rank?.toMemory() ?? this.memory?.rangeRanks;
    return { ...(rangeRanks && { rangeRanks }), ...(this.#fading > 0 && { rangeFading: this.#fading }) };
  }

  /** Rarity of the long window; undefined where there are too few earlier ones. */
  #rankLong(z: number): number | undefined {
    const { range } = this.ensemble;
    if (!this.#rank || !range || !this.neighbours.prepare(LONGEST_SPAN)) return undefined;
    const { distance } = this.neighbours.nearest(LONGEST_SPAN, z);
    const surprise = tailDecades(range.tail, distance);
    const rarity = this.#rank.rarityOf(surprise);
    this.#rank.add(surprise);
    return rarity;
  }
}
