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

/** What one detector expects. */
interface Candidate {
  readonly expected: number;
  /** Rarity of a value by it alone, decades. */
  readonly rarityOf: (value: number) => number;
}

interface BandInput {
  /** Rarity of a value by all detectors, decades. */
  readonly rarityOf: (value: number) => number;
  /** Not empty. */
  readonly candidates: readonly Candidate[];
  /** Largest rarity that raises nothing, decades. */
  readonly limit: number;
  /** Deviation of the series. */
  readonly scale: number;
}

/**
 * The least rare of the candidates, and the range around it in which no value exceeds the limit. Where detectors disagree so
 * far that every value does, the range is that of the detector to which the value is the most usual.
 */
export function findBand({ rarityOf, candidates, limit, scale }: BandInput): DecisionBand {
  const expected = leastBy(candidates, (each) => rarityOf(each.expected)).expected;
  const isDisputed = rarityOf(expected) > limit;
  const own = isDisputed ? leastBy(candidates, (each) => each.rarityOf(expected)).rarityOf : rarityOf;
  const edge = (side: number) => {
    let [inside, step] = [0, FIRST_STEP * scale];
    for (let k = 0; k < MAX_DOUBLINGS && own(expected + side * step) <= limit; k++)
      [inside, step] = [step, 2 * step];
    let outside = step;
    for (let k = 0; k < BISECTIONS; k++) {
      const middle = (inside + outside) / 2;
      if (own(expected + side * middle) <= limit) inside = middle;
      else outside = middle;
    }
    return expected + side * inside;
  };
  return { expected, lower: edge(-1), upper: edge(1) };
}

function leastBy(candidates: readonly Candidate[], rarityOf: (candidate: Candidate) => number): Candidate {
  let [chosen, least] = [candidates[0]!, Number.POSITIVE_INFINITY];
  for (const candidate of candidates) {
    const rarity = rarityOf(candidate);
    if (rarity < least) [chosen, least] = [candidate, rarity];
  }
  return chosen;
}
