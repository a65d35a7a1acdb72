// Answers: status and JSON body; long lists are streamed in pieces.
import {
  isLongText,
  JsonPages,
  JsonStream,
  jsonPieces,
  pagePieces,
  streamPieces,
} from "../../core/formats/json-pieces.ts";
import { Listed } from "../../core/input/listed.ts";
import { writeJson } from "../../runtime/row-cache.ts";

/** Largest stream that `pretty` indents, in bytes, as indenting holds it in memory. */
const MAX_INDENTED_BYTES = 4 * 1024 * 1024;
/** Entries of a list beyond which an object is streamed, to keep the event loop free. */
const MAX_WHOLE_LIST = 20_000;

/** Objects of a list beyond which it is streamed. */
const MAX_WHOLE_OBJECTS = 2000;

export type AnswerHeaders = Record<string, string>;

/** Status and body; routes that return a plain value answer 200. */
export class Answer {
  constructor(
    readonly status: number,
    readonly body?: unknown,
    readonly headers?: AnswerHeaders,
  ) {}
}

/** A body that is no JSON, in pieces that are made while the client reads. */
export class TableAnswer {
  constructor(
    readonly pieces: Pieces,
    readonly headers: AnswerHeaders,
  ) {}
}

type Piece = string | Uint8Array;
type Pieces = Iterator<Piece> | AsyncGenerator<Piece>;

/** 201 without a resource in the body. */
export function created(): Answer {
  return new Answer(201, "success");
}

/** 202 with the id of the job. */
export function accepted(jobId: string): Answer {
  return new Answer(202, jobId);
}

/** 204 */
export function noContent(): Answer {
  return new Answer(204);
}

/** Characters of the header of advice: clients limit the length of headers. */
const MAX_ADVICE = 2000;
/** Ids in the header of a deletion: clients limit the length of headers. */
const MAX_NAMED_IDS = 50;

/**
 * The answer with the header X-Torus-Advice: what a request that succeeded sets in vain, as things are. Characters that
 * headers cannot hold are escaped, as in `\u{e9}`.
 */
export function withAdvice({ status, body, headers }: Answer, advice: readonly string[]): Answer {
  if (advice.length === 0) return new Answer(status, body, headers);
  const escapeLetter = (letter: string) => `\\u{${letter.codePointAt(0)!.toString(16)}}`;
  const text = advice
    .join("; ")
    .slice(0, MAX_ADVICE)
    .replaceAll(/[^\x20-\x7e]/gu, escapeLetter);
  return new Answer(status, body, { ...headers, "x-torus-advice": text });
}

/** The answer to a deletion, with its entries of the bin. */
export function deleted(binned: readonly string[], { status, body }: Answer = noContent()): Answer {
  const isNamed = binned.length > 0 && binned.length <= MAX_NAMED_IDS;
  return new Answer(status, body, isNamed ? { "torus-bin-id": binned.join(";") } : {});
}

/**
 * Renders the value returned by a route.
 * @param headers of the answer; content headers are added
 */
export function renderAnswer(value: unknown, pretty: boolean, headers: AnswerHeaders): Response {
  if (value instanceof TableAnswer)
    return new Response(streamPiecewise(value.pieces), { headers: { ...headers, ...value.headers } });
  const { status, body: given, headers: own } = value instanceof Answer ? value : new Answer(200, value);
  if (own) Object.assign(headers, own);
  if (status === 204) return new Response(null, { status, headers });
  headers["content-type"] = "application/json";
  const body = given instanceof Listed ? given.entries : given;
  if (given instanceof Listed) addListHeaders(given, headers);
  if (body instanceof JsonStream) {
    const isIndented = pretty && body.bytes <= MAX_INDENTED_BYTES;
    return new Response(streamPiecewise(isIndented ? indented(body) : streamPieces(body)), {
      status,
      headers,
    });
  }
  if (body instanceof JsonPages) return new Response(streamPiecewise(pagePieces(body)), { status, headers });
  const isLongList = Array.isArray(body) && body.length > MAX_WHOLE_OBJECTS && !pretty;
  if (isLongList || holdsLongList(body))
    return new Response(streamPiecewise(jsonPieces(body)), { status, headers });
  return new Response(stringify(body ?? null, pretty), { status, headers });
}

function addListHeaders({ total, states, etag }: Listed<unknown>, headers: AnswerHeaders): void {
  if (total !== undefined) headers["x-total-count"] = String(total);
  if (states) headers["x-state-counts"] = [...states].map(([state, n]) => `${state}=${n}`).join(", ");
  if (etag !== undefined) headers.etag = etag;
}

/** Whether an object, such as a prediction of a long range or a fleet, is streamed; `pretty` does not apply to these. */
function holdsLongList(body: unknown): boolean {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return false;
  return Object.values(body).some(
    (value) =>
      Array.isArray(value) && (value.length > MAX_WHOLE_LIST || (value.length > 1 && isLongText(value[0]))),
  );
}

/** Makes pieces on demand, one per turn of the event loop. */
export function streamPiecewise(pieces: Pieces): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream(
    {
      async pull(controller) {
        await new Promise<void>((resolve) => setImmediate(resolve));
        const { value, done } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
      },
      async cancel() {
        await pieces.return?.(undefined as never);
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

/** JSON text; `pretty` is indented. */
export function stringify(value: unknown, pretty: boolean): string {
  return pretty ? `${JSON.stringify(value, null, 2)}\n` : writeJson(value);
}
