// Request bodies as text: read up to a limit, counted before they are kept, decoded as UTF-8.
import { invalid, TorusError } from "../../core/errors.ts";
import { createYielder } from "../../runtime/steps.ts";

export interface BodyLimits {
  readonly bodyBytes: number;
  /** Of line protocol, uncompressed. */
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

/**
 * Reads a stream to its end; the size is checked chunk by chunk, as the content length may be missing or wrong.
 * @throws TorusError `invalid`, `too_large`, `overloaded`
 */
export async function readText(
  stream: ReadableStream<Uint8Array>,
  limit: SizeLimit,
  take: TakeBytes,
): Promise<string> {
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
  return decode(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
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
