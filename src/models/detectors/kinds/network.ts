// Detector of the network: negative log density of a value by the variational auto-encoder.
import { atOnce, type DetectorKind } from "./kind.ts";

/** Logarithm of the square root of two pi: the constant of a normal density. */
const LOG_SQRT_2PI = 0.5 * Math.log(2 * Math.PI);
/** Least scale of the tail, nats: data without noise would make rounding errors rare. */
const MIN_SCALE = 0.25;

export const network: DetectorKind = {
  explanation: "unusual after the values before it",
  weight: 1,
  expects: true,
  holds: 0,
  judgesShape: false,
  sample: atOnce(({ nll, expected }) => {
    if (!nll.some(Number.isFinite)) return undefined;
    return { statistic: nll, expected, minScale: MIN_SCALE };
  }),
  judge({ network: { expected: all, deviation: deviations, nll, unit } }, i, value) {
    const [expected, deviation] = [all[i]!, deviations[i]!];
    if (!Number.isFinite(expected)) return undefined;
    const constant = Math.log(deviation / unit) + LOG_SQRT_2PI;
    const statisticOf = (other: number) => 0.5 * ((other - expected) / deviation) ** 2 + constant;
    return { expected, statisticOf, ...(Number.isFinite(value) && { statistic: nll[i]! }) };
  },
};
