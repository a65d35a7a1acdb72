// Files and standard input of commands: settings in JSON or YAML, byte streams, atomic writes.
import { randomUUID } from "node:crypto";
import { createReadStream, readFileSync, statSync } from "node:fs";
import { open, rename, unlink } from "node:fs/promises";
import { invalid, type TorusError } from "../../core/errors.ts";
import { placeOf, readYaml, type YamlRead } from "../../core/formats/yaml.ts";
import { abortable } from "../../runtime/abortable.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** The name that means standard input. */
export const STDIN = "-";

type Input = Pick<Terminal, "input">;

/** Reads a file or standard input as text, without a byte order mark. @throws TorusError `invalid` naming the file */
export async function readText(path: string, terminal: Input): Promise<string> {
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  if (path === STDIN) return decode(Buffer.concat(await Array.fromAsync(terminal.input())));
  try {
    return decode(readFileSync(path));
  } catch (error) {
    throw unreadable(path, error);
  }
}

export interface ByteInput {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Bytes; undefined if unknown. */
  readonly size: number | undefined;
}

/** Opens a file or standard input as a stream; aborting ends it. @throws TorusError `invalid` */
export function openInput(path: string, terminal: Input, signal: AbortSignal): ByteInput {
  if (path === STDIN) return { bytes: untilAborted(terminal.input(), signal), size: undefined };
  try {
    const info = statSync(path);
    if (info.isDirectory()) throw Object.assign(new Error("directory"), { code: "EISDIR" });
    return { bytes: readStream(path), size: info.isFile() ? info.size : undefined };
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** @throws TorusError `invalid` if reading fails after opening */
async function* readStream(path: string): AsyncGenerator<Uint8Array> {
  const stream = createReadStream(path);
  let failure: unknown;
  stream.once("error", (error) => {
    failure = error;
  });
  try {
    yield* stream;
  } catch (error) {
    throw error === failure ? unreadable(path, error) : error;
  }
}

/** Rejects as soon as the signal aborts, even while no item arrives. */
async function* untilAborted<T>(items: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  for (;;) {
    signal.throwIfAborted();
    const next = await abortable(iterator.next(), signal);
    if (next.done) return;
    yield next.value;
  }
}

function unreadable(path: string, error: unknown): TorusError {
  const { code } = error as { code?: string };
  if (code === "ENOENT") return invalid(path, "does not exist");
  return invalid(path, `cannot be read (${code ?? "error"})`);
}

function unwritable(path: string, error: unknown): TorusError {
  return invalid(path, `cannot be written (${(error as { code?: string }).code ?? "error"})`);
}

/**
 * Parses a file as JSON or YAML; YAML is accepted under any file name but `*.json`.
 * @throws TorusError `invalid` naming the file and, if known, the line
 */
export async function readDocument(path: string, terminal: Input): Promise<unknown> {
  const text = await readText(path, terminal);
  try {
    return JSON.parse(text);
  } catch {
    if (path.endsWith(".json")) throw invalid(path, "is not valid JSON");
  }
  return plainOf(readYaml(text), path);
}

/** Value of a YAML document. @throws TorusError `invalid` with line and column, where it has them */
export function plainOf(read: YamlRead, path: string): unknown {
  if ("value" in read) return read.value;
  throw invalid(placeOf(read.mistake, path), `is neither JSON nor YAML: ${read.mistake.reason}`);
}

/** Parses a file that must hold an object. @throws TorusError `invalid` */
export async function readSettingsFile(path: string, terminal: Input): Promise<Record<string, unknown>> {
  const value = await readDocument(path, terminal);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalid(path, "must hold settings by name, as in {name: load, type: donut}");
  return value as Record<string, unknown>;
}

export interface WriteOptions {
  /** Called with the bytes written so far. */
  readonly onProgress?: (bytes: number) => void;
  readonly signal: AbortSignal;
}

/** Checks a target path before the download. @throws TorusError `invalid` for standard output and directories */
export function checkTarget(path: string): void {
  if (path === STDIN) throw invalid(path, "is not a file: this command writes to a named file only");
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw unwritable(path, { code: "EISDIR" });
}

/**
 * Writes a stream to a file with mode 0600, atomically: a file of that name stays until the new one is complete.
 * @returns bytes written
 * @throws TorusError `invalid` if the file cannot be written
 */
export async function writeWhole(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  { onProgress, signal }: WriteOptions,
): Promise<number> {
  const draft = `${path}.${randomUUID().slice(0, 8)}.part`;
  const refuse = (error: unknown) => {
    throw unwritable(path, error);
  };
  const file = await open(draft, "wx", 0o600).catch(refuse);
  let written = 0;
  try {
    for await (const chunk of chunks) {
      signal.throwIfAborted();
      await file.writeFile(chunk).catch(refuse);
      written += chunk.byteLength;
      onProgress?.(written);
    }
    await file.sync().catch(refuse);
    await file.close().catch(refuse);
    await rename(draft, path).catch(refuse);
    return written;
  } catch (error) {
    await file.close().catch(() => {});
    await unlink(draft).catch(() => {});
    throw error;
  }
}
