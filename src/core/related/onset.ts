// Onset of a deviation: the change point of its rarities, which lies before the first rare interval where it rose slowly.

/**
 * Rarity above which an interval speaks for a change, decades: the mean of normal intervals is 0.43. Of a jump it is a
 * share of its first rare interval: a slightly unusual one just before it is chance.
 */
const REFERENCE = 1;
const JUMP_SHARE = 0.25;
/** Most evidence that is carried on, decades: an earlier deviation that has ended must not reach into the next. */
const MOST = 6;

/**
 * Rarity of the rarest of several features: of six, one of them is rarer than one interval in ten every other time.
 * @param rarity of the rarest, decades
 */
export function rarityOfRarest(rarity: number, features: number): number {
  return features > 1 ? -Math.log10(-Math.expm1(features * Math.log1p(-(10 ** -rarity)))) : rarity;
}

/**
 * The interval after which the cumulative sum of the rarities above their reference rises for good: the change point of
 * a one-sided CUSUM (E. S. Page: Continuous inspection schemes, Biometrika 41, 1954).
 * @param rarities decades, one per interval, up to a rare one; of several features see `rarityOfRarest`; NaN: not known,
 *   which speaks for nothing
 * @returns index of the first interval of the change; the last index where nothing before it speaks for one
 */
export function onsetOf(rarities: ArrayLike<number>): number {
  const last = Math.max(0, rarities.length - 1);
  const reference = Math.max(REFERENCE, JUMP_SHARE * (rarities[last] ?? 0));
  let [sum, onset] = [0, last];
  for (let i = 0; i < rarities.length; i++) {
    const rarity = rarities[i]!;
    if (Number.isNaN(rarity)) continue;
    if (sum <= 0) onset = i;
    sum = Math.min(MOST, Math.max(0, sum + rarity - reference));
  }
  return sum > 0 ? onset : last;
}
