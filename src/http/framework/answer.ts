// Answers: values become JSON, with the status a route chose.
import { JsonStream, jsonPieces, streamPieces } from "../../core/formats/json-pieces.ts";
import { totalOf } from "../../core/input/listing.ts";
import { writeJson } from "../../core/view-cache.ts";

/** A stream that is to be indented is held whole: beyond this many bytes it is sent as it is. */
const MOST_INDENTED = 4 * 1024 * 1024;
/** Entries of a list beyond which an object is written piece by piece: one go would hold up the server. */
const LONG_LIST = 20_000;

export type AnswerHeaders = Record<string, string>;

/** A status and what goes with it; a plain value means 200. */
export class Answer {
  constructor(
    readonly status: number,
    readonly body?: unknown,
  ) {}
}

/** 201, for what has no better body. */
export function created(): Answer {
  return new Answer(201, "success");
}

/** 202 with the id of the job that does the work. */
export function accepted(jobId: string): Answer {
  return new Answer(202, jobId);
}

/** 204: done, nothing to say. */
export function noContent(): Answer {
  return new Answer(204);
}

/**
 * Turns what a route returned into the response.
 * @param headers of every answer; the type of the body is added to them
 */
export function renderAnswer(value: unknown, pretty: boolean, headers: AnswerHeaders): Response {
  const { status, body } = value instanceof Answer ? value : { status: 200, body: value };
  if (status === 204) return new Response(null, { status, headers });
  headers["content-type"] = "application/json";
  const total = typeof body === "object" && body !== null ? totalOf(body) : undefined;
  if (total !== undefined) headers["x-total-count"] = String(total);
  if (body instanceof JsonStream) {
    const isIndented = pretty && body.bytes <= MOST_INDENTED;
    return new Response(streamText(isIndented ? indented(body) : streamPieces(body)), { status, headers });
  }
  if (holdsLongList(body)) return new Response(streamText(jsonPieces(body)), { status, headers });
  return new Response(stringify(body ?? null, pretty), { status, headers });
}

/** Predictions and reads of a long range; these are sent as they are, also where they should be indented. */
function holdsLongList(body: unknown): boolean {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return false;
  return Object.values(body).some((value) => Array.isArray(value) && value.length > LONG_LIST);
}

/** Pieces are made when the client takes them, one per turn of the event loop. */
function streamText(pieces: Generator<string> | AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream(
    {
      async pull(controller) {
        await new Promise<void>((resolve) => setImmediate(resolve));
        const { value, done } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await pieces.return(undefined as never);
      },
    },
    { highWaterMark: 0 },
  );
}

async function* indented(stream: JsonStream): AsyncGenerator<string> {
  let text = "";
  for await (const piece of streamPieces(stream)) text += piece;
  yield stringify(JSON.parse(text), true);
}

/** JSON text; `pretty` for people. */
export function stringify(value: unknown, pretty: boolean): string {
  return pretty ? `${JSON.stringify(value, null, 2)}\n` : writeJson(value);
}
