// Rank of the stretch that ends at a point, by long windows: locates anomalies better than a point, but later; pure.
import { tailDecades } from "../stats/tail.ts";
import { type Neighbours, RANGE_SPAN } from "./neighbours.ts";
import { CausalRank } from "./rank.ts";
import type { DetectionRules } from "./rules.ts";
import type { Ensemble, Memory } from "./types.ts";

export class RangeRank {
  readonly #rank: CausalRank | undefined;

  /** @param ranged whether to rank; otherwise the memory is kept as it is */
  constructor(
    private readonly ensemble: Ensemble,
    private readonly memory: Memory | undefined,
    private readonly neighbours: Neighbours,
    { ranged, detection }: { ranged: boolean; detection: DetectionRules },
  ) {
    const { range } = ensemble;
    if (ranged && range) this.#rank = new CausalRank(memory?.rangeRanks ?? range.ranks, detection);
  }

  /**
   * Mean of the rarities of the long window and of the longest of the point score; 0 without a rank.
   * @param z the value, in deviations
   * @param rarity of the longest window of the point score, decades
   */
  rank(z: number, rarity: number | undefined): number {
    const { range } = this.ensemble;
    if (!this.#rank || !range || !this.neighbours.prepare(RANGE_SPAN)) return 0;
    const { distance } = this.neighbours.nearest(RANGE_SPAN, z);
    const surprise = tailDecades(range.tail, distance);
    const own = this.#rank.rarityOf(surprise);
    this.#rank.add(surprise);
    return rarity === undefined ? own : (own + rarity) / 2;
  }

  toMemory(): Pick<Memory, "rangeRanks"> {
    const rangeRanks = this.#rank?.toMemory() ?? this.memory?.rangeRanks;
    return rangeRanks ? { rangeRanks } : {};
  }
}
