// Request bodies as bytes or text: read up to a limit, counted before they are kept, unpacked, decoded as UTF-8.
import { invalid, TorusError } from "../../core/errors.ts";
import { createYielder } from "../../runtime/steps.ts";

const LINE_FEED = 10;

export interface BodyLimits {
  readonly bodyBytes: number;
  /** Of line protocol and other pushed points, uncompressed. */
  readonly writeBytes: number;
  readonly bodyDepth: number;
  /** Of all bodies in flight. */
  readonly bodiesInFlightBytes: number;
}

/** Largest body of one kind. */
export interface SizeLimit {
  readonly bytes: number;
  /** What changes it, or what takes larger ones. */
  readonly setting: string;
}

/** Accounts for bytes before they are kept. @throws TorusError `overloaded` */
export type TakeBytes = (bytes: number) => void;

/** @returns a function to call between steps of long work; where it returns a promise, await it */
export function createBodyYielder(): () => Promise<void> | undefined {
  return createYielder(new AbortController().signal);
}

/** Reads a stream as `readBytes`. @throws TorusError `invalid` where it is no UTF-8, `too_large`, `overloaded` */
export async function readText(
  stream: ReadableStream<Uint8Array>,
  limit: SizeLimit,
  take: TakeBytes,
): Promise<string> {
  return decode(await readBytes(stream, limit, take));
}

/**
 * Reads a stream to its end.
 * @throws TorusError `too_large`, `overloaded`
 */
export async function readBytes(
  stream: ReadableStream<Uint8Array>,
  limit: SizeLimit,
  take: TakeBytes,
): Promise<Uint8Array> {
  const yieldToOthers = createBodyYielder();
  const chunks: Uint8Array[] = [];
  for await (const chunk of readChunks(stream, limit, take)) chunks.push(chunk);
  const size = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
  return chunks.length === 1 ? chunks[0]! : join(chunks, size, yieldToOthers);
}

/** Chunk by chunk: the first touch of 64 MB of memory takes 200 ms. */
async function join(
  chunks: readonly Uint8Array[],
  size: number,
  yieldToOthers: () => Promise<void> | undefined,
): Promise<Uint8Array> {
  const joined = Buffer.allocUnsafeSlow(size);
  let at = 0;
  for (const chunk of chunks) {
    joined.set(chunk, at);
    at += chunk.byteLength;
    await yieldToOthers();
  }
  return joined;
}

/** Bytes of a piece of a body; the line that exceeds it is its last. */
const PIECE_BYTES = 1024 * 1024;

/**
 * Reads a stream as `readBytes`, in pieces of whole lines, so that no copy of all of it is made.
 * @throws TorusError `too_large`, `overloaded`
 */
export async function* readLinePieces(
  stream: ReadableStream<Uint8Array>,
  limit: SizeLimit,
  take: TakeBytes,
): AsyncGenerator<Uint8Array> {
  let [parts, length]: [Uint8Array[], number] = [[], 0];
  for await (const chunk of readChunks(stream, limit, take))
    for (let from = 0; from < chunk.length; from += PIECE_BYTES) {
      const part = chunk.subarray(from, from + PIECE_BYTES);
      length += part.length;
      const end = length < PIECE_BYTES ? 0 : part.lastIndexOf(LINE_FEED) + 1;
      parts.push(end > 0 ? part.subarray(0, end) : part);
      if (end === 0) continue;
      yield Buffer.concat(parts);
      parts = [part.subarray(end)];
      length = part.length - end;
    }
  if (length > 0) yield Buffer.concat(parts);
}

/** Checked one by one, as the content length may be missing or wrong. */
async function* readChunks(
  stream: ReadableStream<Uint8Array>,
  limit: SizeLimit,
  take: TakeBytes,
): AsyncGenerator<Uint8Array> {
  const yieldToOthers = createBodyYielder();
  let size = 0;
  for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > limit.bytes) throw tooLarge(limit);
    take(chunk.byteLength);
    yield chunk;
    await yieldToOthers();
  }
}

/**
 * Reads a body that may be packed with gzip, as its header says.
 * @param read reads the unpacked stream, with its limit
 * @param what of the message of an error: `lines`
 * @throws TorusError `unsupported_media_type`, `invalid`, and as `read`
 */
export async function readUnpacked<T>(
  { body, headers }: { readonly body: NonNullable<Request["body"]>; readonly headers: Headers },
  read: (stream: ReadableStream<Uint8Array>) => Promise<T>,
  what: string,
): Promise<T> {
  const encoding = (headers.get("content-encoding") ?? "identity").trim().toLowerCase();
  if (encoding === "identity") return read(body);
  if (encoding !== "gzip")
    throw new TorusError(
      "unsupported_media_type",
      `send ${what} uncompressed, or with content-encoding: gzip`,
    );
  try {
    return await read(body.pipeThrough(new DecompressionStream("gzip")));
  } catch (error) {
    if (error instanceof TorusError) throw error;
    throw invalid("body", "is damaged gzip");
  }
}

/** @throws TorusError `too_large` where the content length exceeds the limit */
export function checkContentLength({ headers }: Request, limit: SizeLimit): void {
  if (Number(headers.get("content-length") ?? 0) > limit.bytes) throw tooLarge(limit);
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw invalid("body", "must be UTF-8");
  }
}

function tooLarge({ bytes, setting }: SizeLimit): TorusError {
  return new TorusError("too_large", `the body is larger than ${bytes} bytes (${setting})`, { limit: bytes });
}
