// Components of an iCalendar text: the lines that matter, each event by itself, so that a broken one leaves the others.
import { TorusError } from "../errors.ts";
import type { Component } from "./property.ts";

/** Longest line that is read: parameters and lists of dates are bounded by it. */
const MAX_LINE = 65_536;

/** Lines of a component, and the components within it. */
export interface Block {
  /** In lower case, as in `vevent`. */
  readonly name: string;
  readonly lines: string[];
  readonly blocks: Block[];
}

/** Properties of the revision of an event, which nothing but their text matters of. */
const revision = /^(?:SEQUENCE|DTSTAMP)[;:]/i;
const kept =
  /^(?:UID|SEQUENCE|DTSTAMP|SUMMARY|STATUS|DTSTART|DTEND|DURATION|RRULE|EXRULE|RDATE|EXDATE|RECURRENCE-ID|TZID|X-LIC-LOCATION|TZOFFSETFROM|TZOFFSETTO)[;:]/i;
const border = /^(BEGIN|END):\s*([\w-]+)\s*$/i;

/** The calendars of a text. @throws TorusError `invalid` for a text that is none, or is cut off */
export function readBlocks(text: string): Block[] {
  const root: Block = { name: "", lines: [], blocks: [] };
  const open = [root];
  for (const line of unfold(text)) {
    const [, word, name] = border.exec(line) ?? [];
    const inner = open.at(-1)!;
    if (word === undefined) {
      if (kept.test(line)) inner.lines.push(line);
    } else if (word.toUpperCase() === "BEGIN") {
      const block = { name: name!.toLowerCase(), lines: [], blocks: [] };
      inner.blocks.push(block);
      open.push(block);
    } else if (inner === root || inner.name !== name!.toLowerCase()) throw noCalendar();
    else open.pop();
  }
  const calendars = root.blocks.filter(({ name }) => name === "vcalendar");
  if (open.length > 1 || calendars.length === 0) throw noCalendar();
  return calendars;
}

function unfold(text: string): string[] {
  return text
    .replace(/^\uFEFF/, "")
    .replace(/\r?\n[ \t]/g, "")
    .split(/\r?\n/);
}

function noCalendar(): TorusError {
  return new TorusError(
    "invalid",
    "must be the text of an iCalendar file, BEGIN:VCALENDAR to END:VCALENDAR, each component with its end",
  );
}

/** The value of the first line of a property as written; empty if it is absent. */
export function rawValue({ lines }: Block, name: string): string {
  const line = lines.find((each) => each.slice(0, name.length).toUpperCase() === name);
  return line === undefined ? "" : line.slice(line.indexOf(":") + 1);
}

/**
 * Parses a component without the components within it.
 * @throws TorusError `invalid`
 */
export function parseBlock({ name, lines }: Block): Component {
  if (lines.some((line) => line.length > MAX_LINE))
    throw new TorusError("invalid", `has a line of more than ${MAX_LINE} characters`);
  // Loaded at the first use: most servers have no calendar.
  const ICAL = require("ical.js") as typeof import("ical.js").default;
  try {
    const parsed = lines.filter((line) => !revision.test(line));
    return ICAL.parse([`BEGIN:${name}`, ...parsed, `END:${name}`].join("\r\n")) as unknown as Component;
  } catch {
    throw new TorusError("invalid", "cannot be read: needs valid dates and rules");
  }
}
