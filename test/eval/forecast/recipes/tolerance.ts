// Errors that are tolerated: what the points leave open, and a margin.

/** Part of the change over the horizon that nobody would call an error. */
const SHARE_OF_CHANGE = 0.02;
/** Part of the amplitude of a season, or of the height of a step. */
const SHARE_OF_SHAPE = 0.03;
/** A level follows the newest points, so it holds some of their noise. */
const LEVEL_NOISE = 0.75;
const SLOPE_MARGIN = 2;

export interface LineFacts {
  /** Change a point. */
  readonly slope: number;
  readonly noise?: number;
  /** Points that tell the slope. */
  readonly length: number;
  readonly horizon: number;
}

/** Of a slope: known to its standard error, which grows with the distance from the middle of the points. */
export function ofSlope({ slope, noise = 0, length, horizon }: LineFacts): number {
  const slopeError = noise * Math.sqrt(12 / length ** 3);
  const change = Math.abs(slope) * horizon;
  return SHARE_OF_CHANGE * change + (SLOPE_MARGIN * slopeError * (length + horizon)) / 2;
}

/** Of a straight line: its slope, and the level it starts from. */
export function ofLine(line: LineFacts): number {
  return ofSlope(line) + LEVEL_NOISE * (line.noise ?? 0);
}

export interface SeasonFacts {
  /** From the lowest to the highest value. */
  readonly range: number;
  readonly noise?: number;
  /** Times it was seen. */
  readonly cycles: number;
}

/** Of a season: a place was seen `cycles` times. */
export function ofSeason({ range, noise = 0, cycles }: SeasonFacts): number {
  return SHARE_OF_SHAPE * range + noise * (0.6 + 1.2 / Math.sqrt(cycles));
}

export interface StepFacts {
  readonly height: number;
  readonly noise?: number;
  /** Points since the step. */
  readonly age: number;
}

/** Of a step: the new level is the mean of the points since. */
export function ofStep({ height, noise = 0, age }: StepFacts): number {
  return 2 * SHARE_OF_SHAPE * Math.abs(height) + noise * (0.6 + 2 / Math.sqrt(age));
}
