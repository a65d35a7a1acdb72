// Turns of series in the work beside the live loop: who waits longest comes first, and none is passed over; pure.
import { MINUTE_MS } from "../../core/time/time.ts";

/** A series whose work is due. */
export interface Turn<T> {
  readonly series: T;
  /** When it was done last, ms since the epoch; absent: never. */
  readonly lastAt: number | undefined;
}

interface Pace {
  /** Series that are requested per minute until the next evaluation. */
  readonly perMinute: number;
  /** Time until the next evaluation, ms. */
  readonly everyMs: number;
}

/**
 * The series that one evaluation requests; the others come with the next ones.
 * @param due in any order; of equal ones the first come first
 */
export function takeTurns<T>(due: readonly Turn<T>[], { perMinute, everyMs }: Pace): T[] {
  const count = Math.ceil(perMinute * Math.max(1, everyMs / MINUTE_MS));
  const never = due.filter(({ lastAt }) => lastAt === undefined);
  const before = due.filter(({ lastAt }) => lastAt !== undefined);
  const inOrder = [...never, ...before.sort((one, other) => one.lastAt! - other.lastAt!)];
  return inOrder.slice(0, count).map(({ series }) => series);
}
