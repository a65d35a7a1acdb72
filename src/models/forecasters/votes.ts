// Forecasts of one interval by several members, without those far from what nearly all agree on; pure.

/** A forecast, and the share of its member. */
export interface Vote {
  readonly value: number;
  readonly share: number;
}

/** Least share and number of those that agree. */
const AGREED = { share: 0.8, count: 3 };
/** Distance from their median above which a forecast is left out, in that of the farthest of those that agree. */
const FAR = 10;

/** Those that are not far off: a short rise of logarithms, say, that one member lets go on for weeks. */
export function withoutOutliers(votes: readonly Vote[]): readonly Vote[] {
  if (votes.length <= AGREED.count) return votes;
  const total = votes.reduce((sum, { share }) => sum + share, 0);
  const ascending = votes.toSorted((a, b) => a.value - b.value);
  const median = ascending[placeOf(ascending, 0.5 * total)]!.value;
  const distanceOf = ({ value }: Vote) => Math.abs(value - median);
  const nearest = votes.toSorted((a, b) => distanceOf(a) - distanceOf(b));
  const last = placeOf(nearest, AGREED.share * total);
  if (last < AGREED.count - 1) return votes;
  const most = FAR * distanceOf(nearest[last]!);
  return votes.filter((vote) => distanceOf(vote) <= most);
}

/** Index of the vote at which the shares add up to a sum; that of the last one at most. */
function placeOf(votes: readonly Vote[], wanted: number): number {
  let sum = 0;
  for (const [i, { share }] of votes.entries()) {
    sum += share;
    if (sum >= wanted) return i;
  }
  return votes.length - 1;
}
