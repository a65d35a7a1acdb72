// Frames of server-sent events (WHATWG HTML, section 9.2), parsed from pieces that are cut anywhere; pure.

export interface Frame {
  readonly id?: string;
  readonly event: string;
  readonly data: string;
}

/** @returns a function that takes the next piece of the stream, and answers the frames that are complete */
export function createFrameParser(): (piece: string) => Frame[] {
  let rest = "";
  return (piece) => {
    const parts = `${rest}${piece}`.split("\n\n");
    rest = parts.pop()!;
    return parts.flatMap((part) => parseFrame(part) ?? []);
  };
}

/** Undefined for comments, such as beats. */
function parseFrame(text: string): Frame | undefined {
  const fields = new Map<string, string>();
  for (const line of text.split("\n")) {
    const [name = "", value = ""] = line.split(/: ?(.*)/s, 2);
    if (name === "") continue;
    fields.set(name, fields.has(name) ? `${fields.get(name)}\n${value}` : value);
  }
  const data = fields.get("data");
  if (data === undefined) return undefined;
  const id = fields.get("id");
  return { event: fields.get("event") ?? "message", data, ...(id !== undefined && { id }) };
}
