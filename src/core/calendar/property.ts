// Properties of iCalendar components, as jCal has them (RFC 7265), and the times that they hold.
import { TorusError } from "../errors.ts";
import { utc, type WallTime } from "./wall-time.ts";
import type { Zones } from "./zones.ts";

/** Name, parameters, type, values: a property of jCal (RFC 7265). */
export type Property = [
  name: string,
  params: Record<string, string | string[]>,
  type: string,
  ...values: unknown[],
];
export type Component = [name: string, properties: Property[], components: Component[]];

export function findAll([, properties]: Component, name: string): Property[] {
  return properties.filter((property) => property[0] === name);
}

export function find(component: Component, name: string): Property | undefined {
  return component[1].find((property) => property[0] === name);
}

/** Value of a text property; empty if it is absent. */
export function textOf(component: Component, name: string): string {
  const property = find(component, name);
  return property ? String(property[3]) : "";
}

/** The first time of a property, where it is there. @throws TorusError as `readTimes` */
export function readTime(property: Property | undefined, zones: Zones): WallTime | undefined {
  return property && readTimes(property, zones)[0];
}

const timeText = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d)(Z)?)?$/;
/** What the library makes of the time of a date without VALUE=DATE. */
const noTime = /T::$/;

/** Dates and times as written. @throws TorusError `invalid` for one that cannot be, and for an unknown time zone */
export function readTimes([, params, , ...values]: Property, zones: Zones): WallTime[] {
  const zone = params.tzid === undefined ? undefined : zones.of(String(params.tzid));
  return values.map((value) => {
    const match = timeText.exec(String(value).replace(noTime, ""));
    const [text, date, time, isUtc] = match ?? [];
    // A leap second is the second after it.
    const ms = Date.parse(`${date}T${time?.replace(/:60$/, ":59") ?? "00:00:00"}Z`);
    const isReal = ms >= Date.UTC(100, 0, 1) && new Date(ms).toISOString().startsWith(date!);
    if (!text || !isReal) throw new TorusError("invalid", "has a date that cannot be");
    const offsetAt = isUtc ? utc : zone;
    return { ms, isDate: time === undefined, ...(time !== undefined && offsetAt && { offsetAt }) };
  });
}
