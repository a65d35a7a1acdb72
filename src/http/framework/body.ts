// Request bodies as bytes or text: read up to a limit, counted before they are kept, unpacked, decoded as UTF-8.
import { invalid, TorusError } from "../../core/errors.ts";
import { createYielder } from "../../runtime/steps.ts";

export interface BodyLimits {
  readonly bodyBytes: number;
  /** Of line protocol and other pushed points, uncompressed. */
  readonly writeBytes: number;
  readonly bodyDepth: number;
  /** Of all bodies in flight. */
  readonly bodiesInFlightBytes: number;
}

/** Largest body of one kind, and the setting that changes it. */
export interface SizeLimit {
  readonly bytes: number;
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
 * Reads a stream to its end; the size is checked chunk by chunk, as the content length may be missing or wrong.
 * @throws TorusError `too_large`, `overloaded`
 */
export async function readBytes(
  stream: ReadableStream<Uint8Array>,
  limit: SizeLimit,
  take: TakeBytes,
): Promise<Uint8Array> {
  const yieldToOthers = createBodyYielder();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > limit.bytes) throw tooLarge(limit);
    take(chunk.byteLength);
    chunks.push(chunk);
    await yieldToOthers();
  }
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
