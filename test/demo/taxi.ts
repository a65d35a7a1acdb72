// Data of the demo: taxi trips in New York per half hour, with five labelled events.
import { join } from "node:path";

const FILE = join(import.meta.dir, "../data/nab/nyc_taxi.csv");
export const STEP = 1800;
export const DAY = 48;
export const WEEK = 7 * DAY;
/** The labelled windows of the file, in their order; all lie in its second half. */
const eventNames = ["NYC marathon", "Thanksgiving", "Christmas", "New Year", "snow storm"];

/** A labelled window; seconds, `to` exclusive. */
export interface LabelledEvent {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

export interface Taxi {
  /** Start of every half hour, seconds since the epoch. */
  readonly times: readonly number[];
  readonly values: readonly number[];
  readonly events: readonly LabelledEvent[];
  /** Index of the first row of the second half. */
  readonly half: number;
}

/** Reads the file. @throws Error where it is not as its README says */
export async function readTaxi(): Promise<Taxi> {
  const [header, ...lines] = (await Bun.file(FILE).text()).trim().split("\n");
  if (header !== "timestamp,value,label")
    throw new Error(`${FILE} does not start with timestamp,value,label`);
  const rows = lines.map((line) => line.split(",").map(Number) as [number, number, number]);
  const events = findEvents(rows);
  if (events.length !== eventNames.length) throw new Error(`${FILE} has ${events.length} events, not 5`);
  return {
    times: rows.map(([time]) => time),
    values: rows.map(([, value]) => value),
    events,
    half: rows.length / 2,
  };
}

function findEvents(rows: readonly [number, number, number][]): LabelledEvent[] {
  const events: LabelledEvent[] = [];
  for (const [i, [time, , label]] of rows.entries()) {
    if (!label) continue;
    const from = rows[i - 1]?.[2] ? events.pop()!.from : time;
    events.push({ name: eventNames[events.length] ?? "unknown", from, to: time + STEP });
  }
  return events;
}
