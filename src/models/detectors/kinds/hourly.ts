// Hourly detector: deviation of the last half hour from the usual values, in spreads of its time of day.
import { hourlyDistanceOf } from "../seasons/hourly.ts";
import { Seasonal } from "../seasons/seasonal.ts";
import { atOnce, type DetectorKind, unscored } from "./kind.ts";
import { MIN_SCALE } from "./seasonal.ts";

/** Decades by which its tail must exceed a rarity: with less it raised more on labelled series, and found no more. */
const TAIL_MARGIN = 1;

export const hourly: DetectorKind = {
  explanation: "further from the usual than this hour varies",
  weight: 0,
  alone: { tailMargin: TAIL_MARGIN },
  expects: true,
  holds: 0,
  judgesShape: true,
  sample: atOnce(({ hourly: fit, column, filled, timeline, seasonal: profile, rankedFrom }) => {
    if (!fit) return undefined;
    const usual = new Seasonal(profile, timeline);
    const statistic = unscored(column);
    for (let i = rankedFrom; i < column.length; i++) {
      const distanceOf = hourlyDistanceOf(fit, i, { timeline, usual, column: filled });
      if (distanceOf && Number.isFinite(column[i]!)) statistic[i] = distanceOf(column[i]!);
    }
    return { statistic, expected: column.map((_, i) => usual.expect(i)), minScale: MIN_SCALE };
  }),
  judge({ hourly: fit, seasonal: usual, timeline, imputed: { column } }, i, value) {
    const statisticOf = fit && hourlyDistanceOf(fit, i, { timeline, usual, column });
    if (!statisticOf) return undefined;
    const expected = usual.expect(i);
    return { expected, statisticOf, ...(Number.isFinite(value) && { statistic: statisticOf(value) }) };
  },
};
