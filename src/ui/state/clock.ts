// Clock of the server: the page counts by it, since that of the device may be off.
import { computed, signal } from "@preact/signals";

/** Answers say whole seconds, and take some to come. */
const PRECISION_S = 10;
const TOLERANCE_S = 30;

/** Seconds that the server is ahead of the device. */
const ahead = signal(0);
/** As `ahead`; 0 as long as both agree. */
export const clockSkew = computed(() => (Math.abs(ahead.value) > TOLERANCE_S ? ahead.value : 0));

/** Seconds since the epoch. */
export function serverNow(): number {
  return Date.now() / 1000 + clockSkew.peek();
}

/** @param date header `Date` of an answer (RFC 9110, 6.6.1) */
export function followClock(date: string | null): void {
  const at = Date.parse(date ?? "") / 1000;
  if (!Number.isNaN(at)) ahead.value = PRECISION_S * Math.round((at - Date.now() / 1000) / PRECISION_S);
}
