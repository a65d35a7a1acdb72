// Server-sent events (HTML, section 9.2.6 "Interpreting an event stream").

export interface StreamedEvent {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** Parses a stream; an event that has not ended with an empty line is left out. */
export async function* parseEvents(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<StreamedEvent, void, undefined> {
  let id = "";
  let event = "message";
  let data: string[] = [];
  for await (const line of readLines(stream)) {
    const [name = "", value = ""] = line.split(/: ?(.*)/s);
    if (line === "") {
      if (data.length > 0) yield { id, event, data: data.join("\n") };
      event = "message";
      data = [];
    } else if (name === "id") id = value;
    else if (name === "event") event = value;
    else if (name === "data") data.push(value);
  }
}

async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) yield line.endsWith("\r") ? line.slice(0, -1) : line;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
