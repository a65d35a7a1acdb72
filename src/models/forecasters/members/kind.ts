// Interface of a member kind: proposes members for a series, and forecasts a member from a view of its history.
import type { TObject } from "@sinclair/typebox";
import type { View } from "../history/view.ts";
import type { Series } from "../local-time.ts";
import type { SeasonSet } from "../season/cycles.ts";

/** What a kind proposes members for. */
export interface Proposal {
  /** The training part. */
  readonly series: Series;
  /** Intervals from its first value on. */
  readonly points: number;
  /** The view from its held-out part, for factors that are fitted. */
  readonly before: View;
  /** Length of the forecasts in intervals. */
  readonly horizon: number;
  /** Whether no other kind competes. */
  readonly isAlone: boolean;
  /** Passes of fits by search; default: those of a model's training. */
  readonly passes?: number | undefined;
}

export interface MemberKind<M extends { readonly method: string } = { readonly method: string }> {
  readonly method: M["method"];
  /** Noun of the explanation of a forecast. */
  readonly text: string;
  /** Stored settings of a member, `method` included. */
  readonly schema: TObject;
  /** Weight before any backtest. */
  readonly prior: number;
  /** Cycles whose parts a member tells apart. */
  seasonOf(member: M): SeasonSet;
  /** Members that compete. Yields to the event loop. @throws TorusError `canceled` */
  propose(proposal: Proposal, signal: AbortSignal): readonly M[] | Promise<readonly M[]>;
  /** One value per lead of the view; NaN where the history is too short. */
  forecast(member: M, view: View): Float64Array;
}
