// Revisions of events: of those of one UID and one occurrence the latest counts (RFC 5545, 3.8.7.2 and 3.8.7.4).
import { TorusError } from "../errors.ts";
import { type Block, rawValue } from "./components.ts";
import type { CalendarEvent } from "./event.ts";

/** An event that can be read, with its component. */
export interface ReadEvent {
  readonly event: CalendarEvent;
  readonly block: Block;
  /** In the text, from 1 on. */
  readonly number: number;
}

/** Later revisions, by the numbers of the events that they replace. */
export function findReplaced(read: readonly ReadEvent[]): ReadonlyMap<number, ReadEvent> {
  const latest = new Map<string, ReadEvent>();
  const replaced = new Map<number, ReadEvent>();
  for (const one of read) {
    if (!hasRevision(one)) continue;
    const key = keyOf(one.event);
    const other = latest.get(key);
    const isLater = !other || compare(one.block, other.block) >= 0;
    if (other) replaced.set((isLater ? other : one).number, isLater ? one : other);
    if (isLater) latest.set(key, one);
  }
  return replaced;
}

/** @throws TorusError `invalid` where an event is no revision of the other one: neither is later, and they differ */
export function checkRevision({ block }: ReadEvent, by: ReadEvent): void {
  if (compare(block, by.block) !== 0 || block.lines.join("\n") === by.block.lines.join("\n")) return;
  throw new TorusError(
    "invalid",
    `has the UID of event ${by.number}, which counts in its place: give each event its own`,
  );
}

/** Without a UID, or anything that tells revisions apart, it is an event of its own. */
function hasRevision({ event: { uid }, block }: ReadEvent): boolean {
  return uid !== "" && (rawValue(block, "SEQUENCE") !== "" || rawValue(block, "DTSTAMP") !== "");
}

/** A change of one occurrence is none of the others, and none of the whole. */
function keyOf({ uid, replaces }: CalendarEvent): string {
  if (!replaces) return uid;
  const { ms, offsetAt } = replaces;
  return `${ms - (offsetAt?.(ms - offsetAt(ms)) ?? 0)} ${uid}`;
}

/** By SEQUENCE, then by DTSTAMP; above 0 where `a` is later. */
function compare(a: Block, b: Block): number {
  const bySequence = sequenceOf(a) - sequenceOf(b);
  if (bySequence !== 0) return bySequence;
  const [own, other] = [stampOf(a), stampOf(b)];
  return own === other ? 0 : own > other ? 1 : -1;
}

/** 0 where there is none, or no number. */
function sequenceOf(block: Block): number {
  const text = rawValue(block, "SEQUENCE").trim();
  return /^\d{1,10}$/.test(text) ? Number(text) : 0;
}

/** UTC, whose texts are in the order of their times. */
function stampOf(block: Block): string {
  return rawValue(block, "DTSTAMP").trim().toUpperCase();
}
