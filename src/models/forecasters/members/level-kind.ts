// Members that follow a level: a kind gives the path of the level, and the season is added to it.
import { Type } from "@sinclair/typebox";
import { oneOf, strict } from "../../stored-schema.ts";
import { type Scale, scales } from "../history/scale.ts";
import type { Level, View } from "../history/view.ts";
import { type Cycles, type SeasonSet, seasonSets, setsIn } from "../season/cycles.ts";
import type { MemberKind } from "./kind.ts";

export interface LevelMember<Method extends string> {
  readonly method: Method;
  /** Cycles that are removed before the level is followed. */
  readonly season: SeasonSet;
  readonly scale: Scale;
}

/** Least ratio of the largest to the least value at which logarithms differ from the values. */
const MIN_RATIO = 1.5;
/** Points of a history above which fewer variants compete: those that many points make alike are left out. */
const MANY_POINTS = 2000;

/** Schema of the members of a method. */
function levelSchema<Method extends string>(method: Method) {
  return Type.Object(
    { method: Type.Literal(method), season: oneOf(seasonSets), scale: oneOf(scales) },
    strict,
  );
}

interface LevelMethod<Method extends string> {
  readonly method: Method;
  readonly text: string;
  readonly prior: number;
  /** The level at each lead, without the drift of the view; undefined where the kind has nothing to say. */
  readonly path: (level: Level) => ((lead: number) => number) | undefined;
}

/** A kind that follows the level on either scale, for every set of seasons that the series holds. */
export function levelKind<Method extends string>({
  method,
  text,
  prior,
  path,
}: LevelMethod<Method>): MemberKind<LevelMember<Method>> {
  return {
    method,
    text,
    prior,
    seasonOf: ({ season }) => season,
    schema: levelSchema(method),
    propose: ({ before, points }) =>
      scalesFor(before).flatMap((scale) =>
        setsFor(before.cycles, points).map((season) => ({ method, season, scale })),
      ),
    forecast: (member, view) => {
      const level = view.level(member.season, member.scale) ?? view.level(member.season, "linear");
      const at = level && path(level);
      if (!at) return view.unknown;
      return Float64Array.from(view.leads, (lead) =>
        level.restore(at(lead) + level.drift * Math.max(0, lead), lead),
      );
    },
  };
}

/** Of many points the season of a day is known so well that removing it costs nothing where there is none. */
function setsFor(cycles: Cycles, length: number): readonly SeasonSet[] {
  const sets = setsIn(cycles, length);
  return length > MANY_POINTS && sets.length > 1 ? sets.filter((set) => set !== "none") : sets;
}

/** Logarithms where all values are above 0 and of different magnitude. */
export function scalesFor(view: View): readonly Scale[] {
  if (view.length > MANY_POINTS) return ["linear"];
  let [least, most] = [Number.POSITIVE_INFINITY, 0];
  for (let i = 0; i < view.length; i++) {
    const value = view.known(i);
    if (Number.isNaN(value)) continue;
    if (value <= 0) return ["linear"];
    [least, most] = [Math.min(least, value), Math.max(most, value)];
  }
  return most >= MIN_RATIO * least ? scales : ["linear"];
}
