// Ticks of a periodic evaluation: slot k begins at k * intervalMs + phaseMs; pure, robust against clock steps.
export interface TickSchedule {
  /** Distance between slots. */
  readonly intervalMs: number;
  /** Offset of slots within the interval: from 0 to less than `intervalMs`. */
  readonly phaseMs: number;
}

interface TickInput extends TickSchedule {
  /** Last evaluated slot; undefined = never. */
  readonly lastSlot: number | undefined;
  /** ms since the epoch. */
  readonly nowAt: number;
}

export interface Tick {
  /** The slot to evaluate now; absent if none is due. */
  readonly slot?: number;
  /** Number of slots skipped before it. */
  readonly missed: number;
  /** Time of the next check: ms since the epoch, always later than now. */
  readonly nextAt: number;
}

/** The newest slot that has begun. */
export function slotAt({ intervalMs, phaseMs }: TickSchedule, at: number): number {
  return Math.floor((at - phaseMs) / intervalMs);
}

/** Start of a slot, ms since the epoch. */
export function startOfSlot({ intervalMs, phaseMs }: TickSchedule, slot: number): number {
  return slot * intervalMs + phaseMs;
}

/**
 * The due slot. The first evaluation is due at once. After an overrun, a jump forward or a suspend, only the newest slot
 * is due and the others are counted as missed. If the clock went back by less than an interval, the slot is already
 * evaluated and the next one is awaited; by more, evaluation continues at the new time. A future slot is never due.
 */
export function dueSlot({ lastSlot, nowAt, ...schedule }: TickInput): Tick {
  const slot = slotAt(schedule, nowAt);
  const nextAt = startOfSlot(schedule, slot + 1);
  if (lastSlot === undefined || slot < lastSlot - 1) return { slot, missed: 0, nextAt };
  if (slot > lastSlot) return { slot, missed: slot - lastSlot - 1, nextAt };
  return { missed: 0, nextAt: startOfSlot(schedule, lastSlot + 1) };
}

/** The slot of a new schedule for one already evaluated: a changed interval neither repeats nor skips a slot. */
export function moveSlot(slot: number, from: TickSchedule, to: TickSchedule): number {
  return slotAt(to, startOfSlot(from, slot));
}

/** Phase of a model within its interval: a hash of its name, so that many models spread evenly. */
export function phaseOf(name: string, intervalMs: number): number {
  // FNV-1a, then a finalizer: names that differ in the last digit must not get adjacent phases.
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return Math.floor((((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32) * intervalMs);
}
