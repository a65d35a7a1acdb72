// Level of a series around its usual values: a step becomes the new level within a day, a known level after hours; pure.
import { DAY_MS, HOUR_MS } from "../../core/time/time.ts";
import { isOneSided, type Sides } from "../detectors/members.ts";
import type { Timeline } from "../detectors/timeline.ts";
import { medianOf } from "../stats/median.ts";

/** Length of a block: deviations are summed up by blocks on the clock. */
const BLOCK_MS = DAY_MS / 8;
/**
 * Blocks of a new level: nearly a day, so that no part of a day is taken for one; a step is found within a day wherever
 * it lies in its block, before an anomaly of a day counts as normal.
 */
const BLOCKS = 7;
/**
 * Where a change may explain the step: six hours, and how long before it the change may have been. Of so few blocks each
 * must keep the shape of the day, as an outage at its summit looks like a step; its deviation in those of the training.
 */
const BLOCKS_AFTER_CHANGE = 2;
const CHANGE_LEAD_MS = HOUR_MS;
const MAX_SPREAD = 1.5;
/** Least number of observed points of a block, and their least share. */
const MIN_POINTS = 2;
const MIN_OBSERVED = 0.5;
/** Least deviation of a point that is away from the level, in deviations of the training, and the share of such points. */
const AWAY = 4;
const MIN_AWAY_SHARE = 0.9;
/** Largest distance of a block from the level, in deviations and as a share of the step. */
const BLOCK_SCALES = 3;
const BLOCK_SHARE = 0.25;
/** Most that the blocks of a step move on from their first half to their last, in deviations and as a share of the step. */
const MOVE_SCALES = 1;
const MOVE_SHARE = 0.1;
/** Levels that are known again, the one in force included. */
const MAX_LEVELS = 6;

/** Sums over the deviations of a block: [start in ms, points, sum, points above, points below, sum of squares]. */
type Block = readonly [
  startAt: number,
  points: number,
  sum: number,
  above: number,
  below: number,
  /** Absent in a memory of an older version. */
  squares?: number | null,
];

/**
 * Start of a step (ms), the offset from the usual values of the training since then, in flattened units, and the part of it
 * that came by even steps, see `ofSteps`; absent in a memory of an older version.
 */
type Level = readonly [sinceAt: number, offset: number, ofSteps?: number | null];

/** State of the level; JSON. */
export interface LevelMemory {
  /** By start; the last one is in force, before the first one the level is that of the training. */
  readonly levels: readonly Level[];
  /** Complete blocks in a row that are away from the level, and the one in progress. */
  readonly blocks: readonly Block[];
}

/** A new offset. */
export interface Shift {
  /** Interval from which on it is in force. */
  readonly index: number;
  /** Start of the first block that was away, ms since the epoch. */
  readonly sinceAt: number;
  readonly from: number;
  readonly to: number;
}

export interface LevelInput {
  /** Usual value at an interval. */
  readonly usualAt: (i: number) => number;
  /** Deviation from the usual values in the training. */
  readonly scale: number;
  readonly timeline: Timeline;
  /** Number of intervals, and the first one that is new; those before it are known to the memory. */
  readonly length: number;
  readonly from: number;
  /** Changes that may explain a step, ms since the epoch. */
  readonly changes?: readonly number[] | undefined;
  /** Directions that count: the return from a step in the other one is known at its first value. By default both. */
  readonly sides?: Sides | undefined;
}

const bothSides: Sides = { below: true, above: true };

const start: LevelMemory = { levels: [], blocks: [] };

/** Follows the level over a grid, one new interval after the other. */
export class LevelFollower {
  /** Offset per interval; where the history has the level that is known at `from`. */
  readonly offsets: Float64Array;
  readonly shifts: Shift[] = [];
  readonly #isFollowed: boolean;
  #levels: readonly Level[];
  #blocks: readonly Block[];

  constructor(
    private readonly input: LevelInput,
    memory: LevelMemory = start,
  ) {
    const { timeline, length, scale } = input;
    this.offsets = new Float64Array(length);
    this.#levels = memory.levels;
    this.#blocks = memory.blocks;
    this.#isFollowed = timeline.intervalMs * MIN_POINTS <= BLOCK_MS && scale > 0;
    this.#fillHistory();
  }

  /** State after the last interval. */
  get memory(): LevelMemory {
    return { levels: this.#levels, blocks: this.#blocks };
  }

  /**
   * Part of the offset in force that a trend must not follow: of steps whose blocks stay at one distance. Where they move
   * on, its slope has changed.
   */
  get ofSteps(): number {
    return this.#levels.at(-1)?.[2] ?? 0;
  }

  /** Whether the newest values are away from the level, in blocks that may yet show a step. */
  get isInDoubt(): boolean {
    const last = this.#blocks.at(-1);
    const areFew = this.#blocks.length <= BLOCKS;
    return last !== undefined && sideOf(last) !== 0 && areFew && areEven(this.#blocks, this.input.scale);
  }

  /** @param flat value of the next interval, without trend and calendar; NaN = missing. @returns its offset */
  step(i: number, flat: number): number {
    if (!this.#isFollowed) return 0;
    const { usualAt, scale, timeline, from, changes = [], sides = bothSides } = this.input;
    const { startAt, intervalMs } = timeline;
    const at = startAt + i * intervalMs;
    const blockAt = Math.floor(at / BLOCK_MS) * BLOCK_MS;
    const levels = this.#levels;
    const offset = levels.at(-1)?.[1] ?? 0;
    const ofTraining = flat - usualAt(i);
    let sinceAt = at;
    let next = returnedTo(ofTraining, { offset, levels, scale, sides });
    if (next === undefined && this.#blocks.length > 0 && this.#blocks.at(-1)![0] !== blockAt) {
      this.#blocks = keepAway(this.#blocks, { blockAt, intervalMs });
      next = nextOffset(this.#blocks, { offset, levels, scale, changes });
      sinceAt = this.#blocks[0]?.[0] ?? at;
    }
    if (next !== undefined) {
      this.shifts.push({ index: i, sinceAt, from: offset, to: next });
      this.#levels = [...levels, [sinceAt, next, this.#ofStepTo(next)] as const].slice(-MAX_LEVELS);
      this.#blocks = [];
      if (i === from) this.#fillHistory();
    }
    const inForce = next ?? offset;
    this.offsets[i] = inForce;
    const deviation = ofTraining - inForce;
    if (Number.isFinite(deviation)) this.#blocks = addPoint(this.#blocks, { blockAt, deviation, scale });
    return inForce;
  }

  /** See `ofSteps`, at a new offset. */
  #ofStepTo(next: number): number {
    if (next === 0) return 0;
    const known = this.#levels.findLast(([, offset]) => offset === next)?.[2];
    const step = areEven(this.#blocks, this.input.scale) ? next - (this.#levels.at(-1)?.[1] ?? 0) : 0;
    return known ?? this.ofSteps + step;
  }

  #fillHistory(): void {
    const { timeline, from } = this.input;
    for (let i = 0; i < from; i++) {
      const at = timeline.startAt + i * timeline.intervalMs;
      this.offsets[i] = this.#levels.findLast(([sinceAt]) => sinceAt <= at)?.[1] ?? 0;
    }
  }
}

interface LevelsInForce {
  /** Of the last one. */
  readonly offset: number;
  readonly levels: readonly Level[];
  readonly scale: number;
}

function addPoint(
  blocks: readonly Block[],
  { blockAt, deviation, scale }: { blockAt: number; deviation: number; scale: number },
): readonly Block[] {
  const last = blocks.at(-1);
  const [, points, sum, above, below, squares]: Block =
    last?.[0] === blockAt ? last : [blockAt, 0, 0, 0, 0, 0];
  const block: Block = [
    blockAt,
    points + 1,
    sum + deviation,
    above + Number(deviation > AWAY * scale),
    below + Number(deviation < -AWAY * scale),
    (squares ?? Number.NaN) + deviation ** 2,
  ];
  return last?.[0] === blockAt ? [...blocks.slice(0, -1), block] : [...blocks, block];
}

/** The blocks in a row that are away on one side, once the last one is complete. */
function keepAway(
  blocks: readonly Block[],
  { blockAt, intervalMs }: { blockAt: number; intervalMs: number },
): readonly Block[] {
  const last = blocks.at(-1)!;
  const [at, points] = last;
  const isObserved = points >= MIN_POINTS && points * intervalMs >= MIN_OBSERVED * BLOCK_MS;
  const side = sideOf(last);
  if (!isObserved || side === 0 || blockAt - at > BLOCK_MS) return [];
  const before = blocks.slice(-BLOCKS, -1);
  const isSame = before.every((block) => sideOf(block) === side);
  return isSame ? [...before, last] : [last];
}

/** 1 above, -1 below, 0 at the level. */
function sideOf([, points, , above, below]: Block): -1 | 0 | 1 {
  if (above >= MIN_AWAY_SHARE * points) return 1;
  return below >= MIN_AWAY_SHARE * points ? -1 : 0;
}

/**
 * The level known before to which a value has returned, from a step in the direction that does not count: nothing was
 * raised there, and nothing is where it ends.
 * @param deviation from the usual values of the training
 */
function returnedTo(
  deviation: number,
  { offset, levels, scale, sides }: LevelsInForce & { readonly sides: Sides },
): number | undefined {
  if (!isOneSided(sides)) return undefined;
  const isBack = (other: number) => (sides.above ? other > offset : other < offset);
  return knownLevels(levels).findLast(
    (other) => isBack(other) && Math.abs(deviation - other) <= AWAY * scale,
  );
}

/** Offsets in force until now, that of the training first. */
function knownLevels(levels: readonly Level[]): number[] {
  return [0, ...levels.map(([, offset]) => offset)];
}

/** Whether blocks stay at one distance. */
function areEven(blocks: readonly Block[], scale: number): boolean {
  const means = blocks.map(meanOf);
  const half = means.length >> 1;
  if (half === 0) return true;
  const moved = medianOf(means.slice(-half)) - medianOf(means.slice(0, half));
  return Math.abs(moved) <= Math.max(MOVE_SCALES * scale, MOVE_SHARE * Math.abs(medianOf(means)));
}

function meanOf([, points, sum]: Block): number {
  return sum / points;
}

/** The offset that the blocks show: a known one by a single block, a new one by those of a day, or after a change. */
function nextOffset(
  blocks: readonly Block[],
  { offset, levels, scale, changes }: LevelsInForce & { readonly changes: readonly number[] },
): number | undefined {
  const last = blocks.at(-1);
  if (!last) return undefined;
  const means = blocks.map(meanOf);
  const known = knownLevels(levels).findLast(
    (other) => Math.abs(offset + means.at(-1)! - other) <= AWAY * scale,
  );
  if (known !== undefined && known !== offset) return known;
  const isSoon = blocks.length < BLOCKS;
  if (isSoon && (blocks.length < BLOCKS_AFTER_CHANGE || !isAfterChange(blocks[0]!, changes)))
    return undefined;
  if (isSoon && !blocks.every((block) => spreadOf(block) <= MAX_SPREAD * scale)) return undefined;
  const step = medianOf(means);
  const tolerance = Math.max(BLOCK_SCALES * scale, isSoon ? 0 : BLOCK_SHARE * Math.abs(step));
  return means.every((mean) => Math.abs(mean - step) <= tolerance) ? offset + step : undefined;
}

/** Whether a change lies in the first block that was away, in the one before, of which the step may be a part, or just before. */
function isAfterChange([startAt]: Block, changes: readonly number[]): boolean {
  return changes.some((at) => at >= startAt - BLOCK_MS - CHANGE_LEAD_MS && at < startAt + BLOCK_MS);
}

/** Standard deviation within a block; NaN where it is not known. */
function spreadOf([, points, sum, , , squares]: Block): number {
  return Math.sqrt(Math.max(0, (squares ?? Number.NaN) / points - (sum / points) ** 2));
}
