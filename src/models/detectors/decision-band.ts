// Decision band of a point: the values around the expected one that raise nothing, found by bisection; pure.

/** First step away from the expected value, in deviations of the series; doubled until the limit is exceeded. */
const FIRST_STEP = 1 / 16;
const MAX_DOUBLINGS = 16;
const BISECTIONS = 10;

export interface DecisionBand {
  readonly expected: number;
  readonly lower: number;
  readonly upper: number;
}

interface BandInput {
  /** Rarity of a value, decades. */
  readonly rarityOf: (value: number) => number;
  /** Expectations of the detectors; not empty. */
  readonly candidates: readonly number[];
  /** Largest rarity that raises nothing, decades. */
  readonly limit: number;
  /** Deviation of the series. */
  readonly scale: number;
}

/** The least rare of the candidates, and the range around it in which no value exceeds the limit. */
export function findBand({ rarityOf, candidates, limit, scale }: BandInput): DecisionBand {
  let expected = candidates[0]!;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const rarity = rarityOf(candidate);
    if (rarity < least) [expected, least] = [candidate, rarity];
  }
  // A point whose every value is rare: any deviation from the least rare one counts.
  const ceiling = Math.max(limit, least);
  const edge = (side: number) => {
    let [inside, step] = [0, FIRST_STEP * scale];
    for (let k = 0; k < MAX_DOUBLINGS && rarityOf(expected + side * step) <= ceiling; k++)
      [inside, step] = [step, 2 * step];
    let outside = step;
    for (let k = 0; k < BISECTIONS; k++) {
      const middle = (inside + outside) / 2;
      if (rarityOf(expected + side * middle) <= ceiling) inside = middle;
      else outside = middle;
    }
    return expected + side * inside;
  };
  return { expected, lower: edge(-1), upper: edge(1) };
}
