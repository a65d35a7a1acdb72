// Settings from JSON, or from YAML in block style with plain, quoted and JSON values; other YAML is refused. Pure.

interface Line {
  readonly indent: number;
  readonly text: string;
  /** From 1. */
  readonly number: number;
}

/** A text that is neither JSON nor YAML of this form. */
export class YamlError extends Error {
  /** @param line from 1 */
  constructor(readonly line: number) {
    super(`line ${line}`);
  }
}

/** @throws YamlError */
export function readYaml(text: string): unknown {
  if (/^\s*[{[]/.test(text)) return readJson(text, 1);
  const lines = text.split("\n").flatMap((raw, i): Line[] => {
    // YAML indents by spaces alone, and most other white space is text to it.
    if (/[^\S ]/.test(raw)) throw new YamlError(i + 1);
    const content = raw.trim();
    if (content === "" || content.startsWith("#")) return [];
    return [{ indent: raw.search(/\S/), text: content, number: i + 1 }];
  });
  if (lines[0]?.text === "---" && lines[0].indent === 0) lines.shift();
  if (lines.length === 0) return undefined;
  const left = [...lines];
  const value = readBlock(left, left[0]!.indent);
  if (left[0]) throw new YamlError(left[0].number);
  return value;
}

/** Takes the lines of a block from the front. */
function readBlock(left: Line[], indent: number): unknown {
  return isEntry(left[0]!.text) ? readList(left, indent) : readMap(left, indent);
}

const isEntry = (text: string) => text === "-" || text.startsWith("- ");

function readList(left: Line[], indent: number): unknown[] {
  const list: unknown[] = [];
  while (left[0]?.indent === indent && isEntry(left[0].text)) {
    const { text, number } = left.shift()!;
    const rest = text.slice(1).trim();
    // What stands behind the dash is a block of its own, further right.
    const inner = indent + text.length - rest.length;
    const scalar = uncomment(rest);
    if (isEntry(rest) || keyOf(rest)) {
      left.unshift({ indent: inner, text: rest, number });
      list.push(readBlock(left, inner));
    } else list.push(scalar === "" ? readNested(left, indent) : readScalar(scalar, number));
  }
  return list;
}

function readMap(left: Line[], indent: number): Record<string, unknown> {
  const entries = new Map<string, unknown>();
  while (left[0]?.indent === indent && !isEntry(left[0].text)) {
    const { text, number } = left.shift()!;
    const found = keyOf(text);
    if (!found) throw new YamlError(number);
    const [written, rest] = found;
    const key = readScalar(written, number);
    // YAML reads other keys as numbers or merges, and refuses one that is given twice.
    if (typeof key !== "string" || /^<<$|^[^"'].* #/.test(written) || entries.has(key))
      throw new YamlError(number);
    // A list may stand as far left as its key.
    const isList = left[0]?.indent === indent && isEntry(left[0].text);
    const nested = () => (isList ? readList(left, indent) : readNested(left, indent));
    entries.set(key, rest === "" ? nested() : readScalar(rest, number));
  }
  return Object.fromEntries(entries);
}

function readNested(left: Line[], indent: number): unknown {
  const next = left[0];
  return next && next.indent > indent ? readBlock(left, next.indent) : null;
}

/** Key and value of `key: value`. */
function keyOf(text: string): readonly [string, string] | undefined {
  const found = /^("(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'[\]{}#&*!|>%@`][^:]*?)\s*:(?:\s+(.*))?$/.exec(text);
  return found ? [found[1]!, uncomment(found[2] ?? "")] : undefined;
}

const uncomment = (text: string) => (/^["'[{]/.test(text) ? text : text.replace(/(^|\s)#.*$/, "").trim());

/** Plain values that are no texts, as YAML has them; it reads `.inf` and `.nan` as numbers that JSON lacks. */
const word = /^(?:true|True|TRUE|false|False|FALSE|null|Null|NULL|~)$/;
const number = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$|^0o[0-7]+$|^0x[\da-fA-F]+$/;
/** A plain text must not look like another construct. */
const notText = /^(?:[|>&*!%@`'?,\]}]|-(?:\s|$)|---|\.\.\.(?:\s|$)|[-+]?\.(?:inf|nan)$)|:(?:\s|$)/i;

function readScalar(text: string, line: number): unknown {
  if (/^["[{]/.test(text)) return readJson(text, line);
  if (/^'(?:[^']|'')*'$/.test(text)) return text.slice(1, -1).replaceAll("''", "'");
  if (notText.test(text)) throw new YamlError(line);
  if (word.test(text)) return text === "~" ? null : JSON.parse(text.toLowerCase());
  return number.test(text) ? Number(text) : text;
}

function readJson(text: string, line: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new YamlError(line);
  }
}
