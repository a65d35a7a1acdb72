// When a periodic evaluation is due: slot k begins at k * intervalMs + phaseMs; pure, harmless under every clock step.
export interface TickSchedule {
  /** How often, ms. */
  readonly intervalMs: number;
  /** Where in the interval, ms; from 0 to less than `intervalMs`. */
  readonly phaseMs: number;
}

export interface TickInput extends TickSchedule {
  /** Slot that was evaluated last; undefined = never. */
  readonly lastSlot: number | undefined;
  /** ms since the epoch. */
  readonly nowAt: number;
}

export interface Tick {
  /** The slot to evaluate now; absent where none is due. */
  readonly slot?: number;
  /** Slots that were skipped before it. */
  readonly missed: number;
  /** When to ask again: ms since the epoch, always later than now. */
  readonly nextAt: number;
}

/** The newest slot that has begun. */
export function slotAt({ intervalMs, phaseMs }: TickSchedule, at: number): number {
  return Math.floor((at - phaseMs) / intervalMs);
}

/** When a slot begins, ms since the epoch. */
export function startOfSlot({ intervalMs, phaseMs }: TickSchedule, slot: number): number {
  return slot * intervalMs + phaseMs;
}

/**
 * What is due. The first time: at once. After an overrun, a jump forward or a suspend: the newest slot alone, the
 * others are counted. A clock that went back by less than an interval finds the slot done, or the one before it, and
 * waits for the next one; by more: detection goes on at the new time. A slot that has not begun is never due.
 */
export function dueSlot({ lastSlot, nowAt, ...rhythm }: TickInput): Tick {
  const slot = slotAt(rhythm, nowAt);
  const nextAt = startOfSlot(rhythm, slot + 1);
  if (lastSlot === undefined || slot < lastSlot - 1) return { slot, missed: 0, nextAt };
  if (slot > lastSlot) return { slot, missed: slot - lastSlot - 1, nextAt };
  return { missed: 0, nextAt: startOfSlot(rhythm, lastSlot + 1) };
}

/** The slot of another rhythm that corresponds to one already evaluated: a changed interval neither repeats nor skips. */
export function moveSlot(slot: number, from: TickSchedule, to: TickSchedule): number {
  return slotAt(to, startOfSlot(from, slot));
}

/** Place of a model within its interval: a hash of its name, so that many models spread evenly. */
export function phaseOf(name: string, intervalMs: number): number {
  // FNV-1a, then a mix: names that differ in their last digit alone must not end up side by side.
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return Math.floor((((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32) * intervalMs);
}
