// YAML of plain settings, for reading and for files under version control; pure.
type Value = unknown;

/** Words that YAML would read as something else than a text. */
const notPlain =
  /^$|^[\s\-?:,[\]{}#&*!|>'"%@`]|[:#]\s|:$|\s$|[\n"\\]|^[\d.+-]|^(true|false|null|yes|no|on|off|~)$/i;

/** @returns lines without a line break at the end */
export function writeYaml(value: Value, indent = ""): string {
  if (Array.isArray(value) && value.length > 0)
    return value.map((entry) => `${indent}- ${writeYaml(entry, `${indent}  `).trimStart()}`).join("\n");
  if (isObject(value) && Object.keys(value).length > 0)
    return Object.entries(value)
      .filter(([, entry]) => entry !== undefined)
      .map(([key, entry]) => `${indent}${writeScalar(key)}:${writeEntry(entry, indent)}`)
      .join("\n");
  return `${indent}${writeScalar(value)}`;
}

function writeEntry(entry: Value, indent: string): string {
  const isNested = Array.isArray(entry) ? entry.length > 0 : isObject(entry) && Object.keys(entry).length > 0;
  return isNested ? `\n${writeYaml(entry, `${indent}  `)}` : ` ${writeScalar(entry)}`;
}

function writeScalar(value: Value): string {
  if (typeof value !== "string" || notPlain.test(value)) return JSON.stringify(value);
  return value;
}

function isObject(value: Value): value is Record<string, Value> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
