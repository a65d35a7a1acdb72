// Recipe of a verdict: a made series of weeks, trained on its first part, with planted events that have a direction; pure.
import type { Feature } from "../../../../src/core/model/feature.ts";
import type { ModelSettings } from "../../../../src/core/model/model.ts";
import { createRandom, type Random } from "../../../../wasm/random.ts";

/** A Monday, seconds since the epoch: 2025-10-06. */
export const START_S = 1_759_708_800;
const DAY_S = 86_400;

/** Something that a person would point at. */
export interface Planted {
  /** Of the recipe, 0 = its first day. */
  readonly day: number;
  readonly hour: number;
  readonly minutes: number;
  /** Absent: either, of values that lie on no side. */
  readonly type?: "low" | "high";
  /** Intervals after which it is over at the latest; absent: its end is not judged. */
  readonly endsWithin?: number;
  /** Anomalies as which it may be raised; default: 1. */
  readonly pieces?: number;
}

/** One interval of a recipe. */
export interface Moment {
  /** Number of the interval. */
  readonly i: number;
  readonly day: number;
  /** 0..24, with fraction, at its start. */
  readonly hour: number;
  /** 0 = Monday. */
  readonly weekday: number;
  /** Whether it lies in a planted event. */
  readonly during: (name: string) => boolean;
  readonly random: Random;
}

export interface Recipe {
  readonly name: string;
  /** Seconds. */
  readonly step: number;
  readonly trainedDays: number;
  readonly days: number;
  readonly planted: Readonly<Record<string, Planted>>;
  /** Called once per series: values may depend on those before. */
  readonly make: (random: Random) => (moment: Moment) => number;
  /** False alarms that are tolerated; default: as many as the weeks that are judged. */
  readonly tolerated?: number;
  readonly feature?: Partial<Feature>;
  readonly settings?: Partial<ModelSettings>;
}

/** A planted event, by interval. */
export interface Event {
  readonly name: string;
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  readonly type?: Planted["type"];
  readonly endsWithin?: number;
  readonly pieces?: number;
}

export interface Made {
  readonly recipe: Recipe;
  readonly values: Float64Array;
  /** Number of intervals of the training. */
  readonly trained: number;
  readonly events: readonly Event[];
}

/** The series of a recipe. */
export function make(recipe: Recipe, seed: number): Made {
  const { step, days, trainedDays, planted } = recipe;
  const random = createRandom(seed);
  const perDay = DAY_S / step;
  const events = Object.entries(planted).map(([name, { day, hour, minutes, ...rest }]): Event => {
    const from = Math.round(day * perDay + (hour * 3600) / step);
    return { name, from, to: from + Math.max(1, Math.round((minutes * 60) / step)), ...rest };
  });
  const valueAt = recipe.make(random);
  const values = Float64Array.from({ length: Math.round(days * perDay) }, (_, i) => {
    const day = Math.floor((i * step) / DAY_S);
    const during = (name: string) => {
      const event = events.find((other) => other.name === name);
      return event !== undefined && i >= event.from && i < event.to;
    };
    const hour = ((i * step) / 3600) % 24;
    return valueAt({ i, day, hour, weekday: day % 7, during, random });
  });
  return { recipe, values, trained: Math.round(trainedDays * perDay), events };
}

/** Share of a daytime curve, 0..1: least at 02:00, greatest at 14:00. */
export const workday = (hour: number) => (1 + Math.sin(((hour - 8) / 24) * 2 * Math.PI)) / 2;
