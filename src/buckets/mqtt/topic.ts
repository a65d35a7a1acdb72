// Topic patterns of MQTT: `plant/{line}/temperature/#`; levels in braces are captured as tags. Pure.
// Topics and filters: MQTT 3.1.1, section 4.7
import { invalid } from "../../core/errors.ts";

const MEASUREMENT = "measurement";
const FIELD = "field";
const MAX_TAGS = 32;

/** Captured levels of a topic. */
export interface Captured {
  readonly measurement: string | undefined;
  readonly field: string | undefined;
  readonly tags: Readonly<Record<string, string>>;
}

export interface TopicPattern {
  /** Filter to subscribe to. */
  readonly filter: string;
  /** @returns undefined where the topic is of another pattern */
  match(topic: string): Captured | undefined;
}

/**
 * Parses a pattern: `+` is any level, `#` at its end any rest, `{name}` a level that becomes the tag `name`; `{field}` and
 * `{measurement}` name these.
 * @throws TorusError `invalid` at `path`
 */
export function parseTopic(pattern: string, path: string): TopicPattern {
  const levels = pattern.split("/");
  const names = levels.map((level) => /^\{([A-Za-z_][\w.-]{0,255})\}$/.exec(level)?.[1]);
  const known = names.filter((name) => name !== undefined);
  for (const [i, level] of levels.entries()) {
    if (names[i] !== undefined || level === "+") continue;
    if (level === "#" && i === levels.length - 1) continue;
    if (/[{}+#\0]/.test(level))
      throw invalid(path, "must have `+` and `{name}` as whole levels, and `#` as the last one");
  }
  if (new Set(known).size < known.length) throw invalid(path, "must not capture a name twice");
  if (known.length > MAX_TAGS) throw invalid(path, `must capture at most ${MAX_TAGS} levels`);
  if (known.includes("time")) throw invalid(path, "must not capture `time`, which no tag may be named");
  return {
    filter: levels.map((level, i) => (names[i] === undefined ? level : "+")).join("/"),
    match: (topic) => matchLevels(levels, names, topic.split("/")),
  };
}

function matchLevels(
  levels: readonly string[],
  names: readonly (string | undefined)[],
  topic: readonly string[],
): Captured | undefined {
  const hasRest = levels.at(-1) === "#";
  const fixed = hasRest ? levels.length - 1 : levels.length;
  if (topic.length < fixed || (topic.length > fixed && !hasRest)) return undefined;
  const captured = new Map<string, string>();
  for (let i = 0; i < fixed; i++) {
    const [level, name, text] = [levels[i]!, names[i], topic[i]!];
    if (name !== undefined) captured.set(name, text);
    else if (level !== "+" && level !== text) return undefined;
  }
  const [measurement, field] = [captured.get(MEASUREMENT), captured.get(FIELD)];
  captured.delete(MEASUREMENT);
  captured.delete(FIELD);
  // An empty tag is the same as none.
  const tags = Object.fromEntries([...captured].filter(([, value]) => value !== ""));
  return { measurement, field, tags };
}
