// Registry of the member kinds of a forecast; the network, which runs in a worker, is a member beside them.
import { Type } from "@sinclair/typebox";
import { type Stored, strict } from "../../stored-schema.ts";
import { bend } from "./bend.ts";
import { dampedTrend } from "./damped-trend.ts";
import { drift } from "./drift.ts";
import { type HoltWintersMember, holtWinters } from "./holt-winters-kind.ts";
import type { MemberKind } from "./kind.ts";
import { lastLevel } from "./last-level.ts";
import type { LevelMember } from "./level-kind.ts";
import { line } from "./line.ts";
import { type RepeatMember, repeat } from "./repeat.ts";
import { type SeasonalMember, seasonal } from "./seasonal.ts";
import { theta } from "./theta.ts";

/** Kinds by method. */
export const memberKinds = {
  seasonal,
  "holt-winters": holtWinters,
  level: lastLevel,
  drift,
  line,
  bend,
  "damped-trend": dampedTrend,
  theta,
  repeat,
} as const;

export const NetworkMemberSchema = Type.Object({ method: Type.Literal("donut") }, strict);

export type SimpleMember =
  | SeasonalMember
  | HoltWintersMember
  | RepeatMember
  | LevelMember<"level" | "drift" | "line" | "bend" | "damped-trend" | "theta">;
export type Member = SimpleMember | Stored<typeof NetworkMemberSchema>;
export type Method = Member["method"];

/** The member of any history with a value. */
export const lastLevelMember: SimpleMember = { method: "level", season: "none", scale: "linear" };

/** The kind of a member. */
export function kindOf(method: SimpleMember["method"]): MemberKind {
  return memberKinds[method] as unknown as MemberKind;
}
