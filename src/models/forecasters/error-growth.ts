// Growth of forecast errors with the lead: the mean of all growths, each as likely as the errors of the past make it; pure.

/** Most growth of the squared errors per interval, in those of the first: 1 is a random walk, more a trend not followed. */
const MAX_GROWTH = 3.5;
/** Ratio of neighbouring growths, and the growth over all leads below which there is none. */
const RATIO = 1.8;
const LEAST_GROWTH = 0.2;

/** Errors of a lead. */
export interface LeadErrors {
  readonly lead: number;
  /** Mean magnitude. */
  readonly mean: number;
  readonly count: number;
  /** Mean logarithm of the units that they are measured in; 0 in those of the data. */
  readonly logUnit: number;
}

export interface Growth {
  /** Typical error at a lead. */
  readonly errorAt: (lead: number) => number;
  /** Logarithm of the likelihood of the errors, to compare units. */
  readonly likelihood: number;
}

/**
 * Typical error by lead. Squared errors grow evenly, from not at all (noise around a season) to those of a random walk;
 * few forecasts cannot tell which it is, so that their mean grows: a Bayesian model average, its prior even by logarithm.
 * @param errors ascending by lead, one at least above 0
 * @param span intervals from the first origin to the last
 */
export function fitGrowth(errors: readonly LeadErrors[], span: number): Growth {
  const unit = Math.max(...errors.map(({ mean }) => mean));
  const weights = errors.map((_, i) => evidenceOf(errors, i, span));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const fits = growthsUpTo(errors.at(-1)!.lead).map((growth) => {
    let [first, factors] = [0, 0];
    for (const [i, { lead, mean, logUnit }] of errors.entries()) {
      const factor = factorAt(growth, lead);
      first += (weights[i]! * (mean / unit)) / factor;
      factors += weights[i]! * (Math.log(factor) + logUnit);
    }
    // Of errors whose magnitudes are exponential (Laplace), at the most likely first error.
    return { growth, first: first / total, likelihood: -total * Math.log(first / total) - factors };
  });
  const most = Math.max(...fits.map(({ likelihood }) => likelihood));
  const shares = fits.map(({ likelihood }) => Math.exp(likelihood - most));
  const all = shares.reduce((sum, share) => sum + share, 0);
  return {
    errorAt: (lead) =>
      fits.reduce(
        (sum, { growth, first }, k) => sum + unit * (shares[k]! / all) * first * factorAt(growth, lead),
        0,
      ),
    likelihood: most + Math.log(all / fits.length) - total * Math.log(unit),
  };
}

function factorAt(growth: number, lead: number): number {
  return Math.sqrt(1 + growth * lead);
}

function growthsUpTo(lead: number): readonly number[] {
  const growths = [0];
  for (let growth = MAX_GROWTH; growth * (lead + 1) > LEAST_GROWTH; growth /= RATIO) growths.push(growth);
  return growths;
}

/** Independent errors that those of a lead are worth: forecasts overlap, and neighbouring leads of one err alike. */
function evidenceOf(errors: readonly LeadErrors[], i: number, span: number): number {
  const { lead, count } = errors[i]!;
  const [before, after] = [Math.max(0, i - 1), Math.min(errors.length - 1, i + 1)];
  const distance = Math.log((errors[after]!.lead + 1) / (errors[before]!.lead + 1));
  const share = errors.length > 1 ? distance / (after - before) : 1;
  return Math.min(count, 1 + span / (lead + 1)) * share;
}
