// Names and tags of points: the limits that `_write`, line protocol, remote write, OTLP and MQTT share.

/** Longest name of a measurement, a field or a tag, and longest value of a tag, in characters. */
export const [MAX_NAME, MAX_TAG_VALUE] = [256, 1024];
/** Tags of a series, and fields of a point. */
export const [MAX_TAGS, MAX_FIELDS] = [128, 10_000];

const reserved: ReadonlySet<string> = new Set(["time", "__proto__"]);

/** What is wrong with the name of a field or a tag; undefined: nothing. */
export function nameMistake(name: string): "empty" | "reserved" | "long" | undefined {
  if (name === "") return "empty";
  if (reserved.has(name)) return "reserved";
  return name.length > MAX_NAME ? "long" : undefined;
}
