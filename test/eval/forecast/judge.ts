// Judgement of a forecast against its recipe: dates, error, band, and bounds.
import { meanOf, type Recipe } from "./recipes/recipe.ts";

/** The parts of an answer that are judged. */
export interface Answer {
  /** Seconds since the epoch. */
  readonly timestamps?: readonly number[];
  readonly predicted: readonly number[];
  readonly lower: readonly number[];
  readonly upper: readonly number[];
}

/** Answers the body of a forecast. */
export type Forecast = (body: unknown, signal: AbortSignal) => Promise<Answer>;

export interface Verdict {
  readonly recipe: Recipe;
  /** What is wrong, in words and numbers; undefined: right. */
  readonly reason?: string;
}

const LEVEL = 0.9;
/** Share of the observed values that a band of 90 % must hold in a single forecast. */
const MIN_HELD = 0.6;
/** A shorter horizon says nothing about the share. */
const MIN_HORIZON = 10;
/** Relative to the value: rounding. */
const ROUNDING = 1e-9;

/** Runs the recipe; a refusal is wrong, too. */
export async function judgeBy(forecast: Forecast, recipe: Recipe, signal: AbortSignal): Promise<Verdict> {
  const { series, options, dates } = recipe;
  const body = { series, ...options, horizon: dates.length, p_val: LEVEL };
  let answer: Answer;
  try {
    answer = await forecast(body, signal);
  } catch (error) {
    return { recipe, reason: `refused: ${error instanceof Error ? error.message : String(error)}` };
  }
  const reason = judge(recipe, answer);
  return { recipe, ...(reason !== undefined && { reason }) };
}

/** What is wrong with the answer; undefined: nothing. */
export function judge(recipe: Recipe, answer: Answer): string | undefined {
  const found = [judgeShape, judgeDates, judgeOrder, judgeBounds].map((check) => check(recipe, answer));
  const first = found.find((reason) => reason !== undefined);
  // Without numbers at the right places, errors and bands say nothing.
  if (judgeShape(recipe, answer) !== undefined) return first;
  const reasons = [...found, judgeError(recipe, answer), judgeBand(recipe, answer)];
  const texts = reasons.filter((reason) => reason !== undefined);
  return texts.length === 0 ? undefined : texts.join("; ");
}

function judgeShape({ dates }: Recipe, { predicted, lower, upper }: Answer): string | undefined {
  for (const [name, values] of Object.entries({ predicted, lower, upper })) {
    if (values.length !== dates.length) return `${values.length} values of ${name} for ${dates.length}`;
    const wrong = values.findIndex((value) => !Number.isFinite(value));
    if (wrong >= 0) return `${name}[${wrong}] is ${values[wrong]}`;
  }
  return undefined;
}

function judgeDates({ dates }: Recipe, { timestamps }: Answer): string | undefined {
  if (timestamps === undefined) return "no timestamps";
  const wrong = dates.findIndex((date, k) => timestamps[k] !== date);
  if (wrong < 0) return undefined;
  return `date ${wrong + 1} is ${formatDate(timestamps[wrong])} for ${formatDate(dates[wrong])}`;
}

function judgeOrder(_: Recipe, { predicted, lower, upper }: Answer): string | undefined {
  const wrong = predicted.findIndex((value, k) => {
    const slack = ROUNDING * Math.max(Math.abs(value), 1);
    return lower[k]! > value + slack || upper[k]! < value - slack;
  });
  if (wrong < 0) return undefined;
  return `value ${wrong + 1}, ${format(predicted[wrong]!)}, lies outside its band ${formatBand(lower[wrong]!, upper[wrong]!)}`;
}

function judgeBounds({ bounds }: Recipe, { predicted, lower, upper }: Answer): string | undefined {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = bounds;
  const [least, greatest] = [Math.min(...predicted, ...lower), Math.max(...predicted, ...upper)];
  if (least < min - ROUNDING) return `${format(least)} is below ${min}`;
  if (greatest > max + ROUNDING * Math.abs(max)) return `${format(greatest)} is above ${max}`;
  return undefined;
}

function judgeError({ truth, alternatives, tolerance }: Recipe, { predicted }: Answer): string | undefined {
  const error = Math.min(...[truth, ...alternatives].map((values) => meanAbsoluteError(predicted, values)));
  if (error <= tolerance) return undefined;
  const ends = `first ${format(predicted[0]!)} for ${format(truth[0]!)}, last ${format(predicted.at(-1)!)} for ${format(truth.at(-1)!)}`;
  return `MAE ${format(error)} > ${format(tolerance)}; ${ends}`;
}

function judgeBand({ observed, noise, widest }: Recipe, { lower, upper }: Answer): string | undefined {
  if (noise === 0 || observed.length < MIN_HORIZON) return undefined;
  const held = meanOf(observed.map((value, k) => (value >= lower[k]! && value <= upper[k]! ? 1 : 0)));
  if (held < MIN_HELD) return `the band holds ${Math.round(100 * held)} % of the truth`;
  const width = meanOf(upper.map((value, k) => value - lower[k]!));
  if (widest === undefined || width <= widest) return undefined;
  return `the band is ${format(width)} wide for noise of ${format(noise)}`;
}

function meanAbsoluteError(predicted: readonly number[], truth: readonly number[]): number {
  return meanOf(truth.map((value, k) => Math.abs(predicted[k]! - value)));
}

function formatDate(at: number | undefined): string {
  if (at === undefined) return "absent";
  return new Date(at * 1000)
    .toISOString()
    .replace(/:00\.000Z$/, "Z")
    .replace("T00:00Z", "");
}

function formatBand(lower: number, upper: number): string {
  return `[${format(lower)}, ${format(upper)}]`;
}

function format(value: number): string {
  return String(Number(value.toPrecision(4)));
}
