// Views of a ranking: each related series with what speaks for it, and a summary in words.
import { DAY_MS } from "../time/time.ts";
import type { Mover } from "./chance.ts";
import type { Ranked, Ranking } from "./rank.ts";
import type { Tags } from "./tags.ts";
import { reasonsOf, summarize } from "./words.ts";

/** A mover with the direction and the first interval of its deviation. */
export interface ShownMover extends Mover {
  readonly type: "low" | "high";
  /** Start of its first rare interval, ms since the epoch. */
  readonly startAt: number;
}

/** A related series, without what names it; instants and spans in seconds. */
interface MoverView {
  readonly type: "low" | "high";
  readonly start: number;
  readonly onset: number;
  readonly lead?: number;
  readonly rarity: number;
  readonly confidence: number;
  readonly chance: number;
  readonly shared?: Tags;
  readonly past: { readonly times: number; readonly days: number };
  readonly together?: { readonly times: number; readonly of: number };
  readonly reasons: string[];
}

interface ViewInput<M extends ShownMover, N> {
  readonly ranking: Ranking<M>;
  /** Series of the anomaly; absent: of a range. */
  readonly target?: Mover | undefined;
  /** Most related series. */
  readonly limit: number;
  /** Series that are watched, and those that moved. */
  readonly watched: number;
  readonly moved: number;
  /** What names a series in the answer, and in words. */
  readonly nameOf: (mover: M) => { readonly fields: N; readonly text: string };
}

/** What an answer says of a ranking. */
export function viewRanking<M extends ShownMover, N extends object>(input: ViewInput<M, N>) {
  const { ranking, target, limit, watched, moved, nameOf } = input;
  const { common, ownConfidence, ranked } = ranking;
  const shown = ranked.slice(0, limit).map((one) => ({ ...nameOf(one.mover), view: viewRanked(one, input) }));
  const [first] = shown;
  return {
    ...{ watched, moved },
    ...(target &&
      ownConfidence !== undefined && {
        own: { onset: target.onsetAt / 1000, confidence: round(ownConfidence) },
      }),
    ...(common && { common: { share: round(common.share), at: common.at / 1000 } }),
    summary: summarize({
      ...{ watched, moved, common, others: Math.max(0, ranked.length - 1) },
      ...(ownConfidence !== undefined && { ownConfidence }),
      ...(first && { first: { name: first.text, ...first.view } }),
    }),
    related: shown.map(({ fields, view }) => ({ ...fields, ...view })),
  };
}

function viewRanked<M extends ShownMover>(
  { mover, link, confidence, precedence }: Ranked<M>,
  { target, ranking }: Pick<ViewInput<M, unknown>, "target" | "ranking">,
): MoverView {
  const { type, startAt, onsetAt, peak, past, together, intervalMs } = mover;
  const times = past.peaks.filter((earlier) => earlier >= peak).length;
  const { equal, adjacent } = link.shared;
  const shared: Tags = { ...adjacent, ...equal };
  const leadMs = target && target.onsetAt - onsetAt;
  const known = target && together && together.of > 0 ? { together } : {};
  const facts = { intervalMs, equal, adjacent, precedence, others: ranking.ranked.length };
  return {
    ...{ type, start: startAt / 1000, onset: onsetAt / 1000 },
    ...(leadMs !== undefined && { lead: leadMs / 1000 }),
    ...{ rarity: round(peak), confidence: round(confidence), chance: round(link.chance) },
    ...(Object.keys(shared).length > 0 && { shared }),
    past: { times, days: round(past.spanMs / DAY_MS) },
    ...known,
    reasons: reasonsOf({
      ...{ ...facts, ...known, past: { times, spanMs: past.spanMs } },
      ...(leadMs !== undefined && { leadMs }),
    }),
  };
}

/** Two digits behind the point. */
function round(value: number): number {
  return Math.round(100 * value) / 100;
}
