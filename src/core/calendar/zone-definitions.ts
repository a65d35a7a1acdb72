// Definitions of time zones in an iCalendar text (VTIMEZONE): read when the first event uses them.
import { TorusError } from "../errors.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../time/time.ts";
import { type Block, parseBlock } from "./components.ts";
import { readRules } from "./parse-rule.ts";
import { find, findAll, readTime, readTimes, textOf } from "./property.ts";
import type { Budget } from "./rule.ts";
import { withoutCount } from "./rule-load.ts";
import type { OffsetAt } from "./wall-time.ts";
import { checkObservances, definedZone, namedZone, type Observance } from "./zone.ts";
import { Zones } from "./zones.ts";

const MAX_ZONES = 500;
const MAX_OBSERVANCES = 500;
/** Steps to find the switches of a year, of all zones that events use. */
const MAX_STEPS = 50_000;

/**
 * @param budget of the steps to find switches; those to find the ends of rules with COUNT are taken from it as well
 * @throws TorusError `invalid` for too many definitions
 */
export function readZones(calendars: readonly Block[], budget: Budget): Zones {
  const blocks = calendars.flatMap((calendar) => calendar.blocks.filter(({ name }) => name === "vtimezone"));
  if (blocks.length > MAX_ZONES)
    throw new TorusError("invalid", `holds ${blocks.length} time zones: at most ${MAX_ZONES} are possible`);
  const byName = new Map(blocks.map((block) => [nameOf(block), block]));
  const ofYear = { left: MAX_STEPS };
  return new Zones((name) => {
    const block = byName.get(name);
    return block && readZone(block, budget, ofYear);
  });
}

function nameOf(block: Block): string {
  const line = block.lines.find((each) => /^TZID[;:]/i.test(each)) ?? "";
  return line.slice(line.indexOf(":") + 1);
}

function readZone(block: Block, budget: Budget, ofYear: Budget): OffsetAt {
  const zone = parseBlock(block);
  // The rules of a known name are newer than those of the file.
  const known = namedZone(textOf(zone, "tzid")) ?? namedZone(textOf(zone, "x-lic-location"));
  if (known) return known;
  const observances = block.blocks.slice(0, MAX_OBSERVANCES).flatMap((part) => readObservance(part, budget));
  ofYear.left -= checkObservances(observances);
  if (ofYear.left < 0)
    throw new TorusError("invalid", "has too many switches, together with other time zones");
  return definedZone(observances, budget);
}

function readObservance(block: Block, budget: Budget): Observance[] {
  const part = parseBlock(block);
  const zones = new Zones();
  const start = readTime(find(part, "dtstart"), zones);
  const [offsetBefore, offsetAfter] = ["tzoffsetfrom", "tzoffsetto"].map((name) =>
    readOffset(textOf(part, name)),
  );
  if (!start || offsetBefore === undefined || offsetAfter === undefined) return [];
  const zone = { ...start, offsetAt: () => offsetBefore };
  const read = readRules(part, zone);
  checkObservances([{ offsetBefore, offsetAfter, start: start.ms, rules: read, dates: [] }]);
  const rules = read.map((rule) => withoutCount(rule, start.ms, budget));
  if (!rules.every((rule) => rule !== undefined))
    throw new TorusError("invalid", "takes too many steps to count: give it UNTIL in place of COUNT");
  const dates = findAll(part, "rdate").flatMap((date) => readTimes(date, zones));
  return [{ offsetBefore, offsetAfter, start: start.ms, rules, dates: dates.map(({ ms }) => ms) }];
}

/** @returns ms, undefined if it is none */
function readOffset(text: string): number | undefined {
  const match = /^([+-])(\d\d):?(\d\d):?(\d\d)?$/.exec(text);
  if (!match) return undefined;
  const [, sign, hours, minutes, seconds = "0"] = match;
  const ms = Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS + Number(seconds) * SECOND_MS;
  return ms >= DAY_MS ? undefined : sign === "-" ? -ms : ms;
}
