// Decision band of a point: the values around the expected one that raise nothing, found by false position; pure.

/** First distance from the expected value, in deviations of the series; doubled or halved until the limit lies between. */
const FIRST_DISTANCE = 2;
const MAX_DOUBLINGS = 11;
const MAX_HALVINGS = 6;
/** Width between inside and outside at which the edge is known, as a share of the distance. */
const PRECISION = 1 / 200;
const MAX_STEPS = 12;

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
  /** Whether it has a part in what all say; others say nothing of most values, so that they bound no range. */
  readonly weighs: boolean;
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
  // Several expect the same value, as the usual one.
  const distinct = candidates.filter(
    (each, k) => candidates.findIndex((other) => Object.is(other.expected, each.expected)) === k,
  );
  const { candidate, rarity } = leastBy(distinct, (each) => rarityOf(each.expected));
  const { expected } = candidate;
  const isDisputed = rarity > limit;
  const own = isDisputed
    ? leastBy(judgesOf(candidates), (each) => each.rarityOf(expected)).candidate.rarityOf
    : rarityOf;
  const edge = (side: number) =>
    expected + side * findEdge((distance) => own(expected + side * distance) - limit, FIRST_DISTANCE * scale);
  return { expected, lower: edge(-1), upper: edge(1) };
}

/**
 * Largest distance at which the excess is not above 0, of an excess that grows with the distance.
 * @param first distance to begin with
 */
function findEdge(excessAt: (distance: number) => number, first: number): number {
  let { inside, outside, below, above } = bracket(excessAt, first);
  let width = 2 * (outside - inside);
  for (let k = 0; k < MAX_STEPS && outside - inside > PRECISION * outside; k++) {
    const hasHalved = outside - inside <= width / 2;
    width = outside - inside;
    // Where the excess rises in one step, false position creeps towards it from one side.
    const share =
      hasHalved && Number.isFinite(above) ? Math.min(0.9, Math.max(0.1, below / (below - above))) : 0.5;
    const middle = inside + share * width;
    const excess = excessAt(middle);
    if (excess <= 0) [inside, below] = [middle, excess];
    else [outside, above] = [middle, excess];
  }
  return inside;
}

/** Two distances around the edge, a factor of 2 apart, with the excess at them; from 0 on where the edge is close to it. */
function bracket(excessAt: (distance: number) => number, first: number) {
  let distance = first;
  let excess = excessAt(distance);
  if (excess <= 0) {
    for (let k = 0; k < MAX_DOUBLINGS; k++) {
      const [inside, below] = [distance, excess];
      distance *= 2;
      excess = excessAt(distance);
      if (excess > 0) return { inside, below, outside: distance, above: excess };
    }
    return { inside: distance, below: excess, outside: distance, above: excess };
  }
  for (let k = 0; k < MAX_HALVINGS; k++) {
    const [outside, above] = [distance, excess];
    distance /= 2;
    excess = excessAt(distance);
    if (excess <= 0) return { inside: distance, below: excess, outside, above };
  }
  return { inside: 0, below: 0, outside: distance, above: excess };
}

function judgesOf(candidates: readonly Candidate[]): readonly Candidate[] {
  const judges = candidates.filter(({ weighs }) => weighs);
  return judges.length > 0 ? judges : candidates;
}

function leastBy(candidates: readonly Candidate[], rarityOf: (candidate: Candidate) => number) {
  let [chosen, least] = [candidates[0]!, Number.POSITIVE_INFINITY];
  for (const candidate of candidates) {
    const rarity = rarityOf(candidate);
    if (rarity < least) [chosen, least] = [candidate, rarity];
  }
  return { candidate: chosen, rarity: least };
}
