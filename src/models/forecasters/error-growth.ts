// Growth of the squared forecast errors beyond the near horizon; pure.

/** Growth without evidence, its weight in errors, and the most: that of a trend that is not followed. */
const USUAL_GROWTH = 0.03;
const PRIOR = 8;
const MAX_GROWTH = 30;

/**
 * Mean growth of the squared errors per near horizon, in those of the first: 0 for noise around a season, 1 for a random
 * walk. Undefined where no far lead was observed.
 */
export function fitGrowth(
  errors: readonly Float64Array[],
  leads: readonly number[],
  horizon: number,
): number | undefined {
  const magnitudesAt = (i: number) => errors.map((own) => Math.abs(own[i]!)).filter(Number.isFinite);
  const near = leads.flatMap((lead, i) => (lead < horizon ? magnitudesAt(i) : []));
  const first = near.reduce((sum, value) => sum + value, 0) / near.length;
  if (!(first > 0)) return undefined;
  let [sum, total] = [PRIOR * USUAL_GROWTH, PRIOR];
  let isFar = false;
  for (const [i, lead] of leads.entries()) {
    const own = magnitudesAt(i);
    if (lead < horizon || own.length === 0) continue;
    isFar = true;
    const ahead = (lead + 1) / horizon;
    const mean = own.reduce((all, value) => all + value, 0) / own.length;
    // The near horizon is measured, too: its error counts the less, the further ahead.
    const weight = own.length * (1 - 1 / ahead) ** 2;
    sum += (weight * ((mean / first) ** 2 - 1)) / (ahead - 0.5);
    total += weight;
  }
  return isFar ? Math.min(MAX_GROWTH, Math.max(0, sum / total)) : undefined;
}

/** Far scales, of which few forecasts tell, halfway to what the growth of all says. */
export function growFar(
  scales: readonly number[],
  { leads, horizon, daily }: { leads: readonly number[]; horizon: number; daily: number | undefined },
): readonly number[] {
  const last = leads.findLastIndex((lead) => lead < horizon);
  if (daily === undefined || last < 0) return scales;
  const near = scales.slice(0, last + 1).reduce((sum, scale) => sum + scale, 0) / (last + 1);
  return scales.map((scale, i) => {
    if (leads[i]! < horizon) return scale;
    const ahead = (leads[i]! + 1) / horizon;
    return (scale + near * Math.sqrt(1 + daily * (ahead - 0.5))) / 2;
  });
}
