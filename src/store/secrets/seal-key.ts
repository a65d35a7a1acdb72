// The key that seals secrets: from the environment, from a file, or generated at the first start.
import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, unlinkSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { KEY_RECIPE, parseKey } from "../../core/access/key.ts";
import { TorusError } from "../../core/errors.ts";

const KEY_BYTES = 32;
/** The generated key, in the data directory. */
export const KEY_FILE = "torus.key";

/** Sources of the key; the first one given counts. */
export interface KeyOptions {
  /** 32 bytes from the environment. */
  readonly key?: Uint8Array | undefined;
  /** A file that must exist. */
  readonly file?: string | undefined;
  /** The previous key: what it has sealed is resealed. */
  readonly previousFile?: string | undefined;
}

export interface KeySource {
  /** For messages. */
  readonly name: string;
  /** @returns undefined where there is no key. @throws TorusError `internal` where it cannot be read */
  find(): Uint8Array | undefined;
  /** Generates one; absent where it must be given. */
  create?(): Uint8Array;
}

/** @param dir data directory */
export function chooseKeySource(dir: string, { key, file }: KeyOptions): KeySource {
  if (key) return { name: "TORUS_KEY", find: () => key };
  if (file) return { name: file, find: () => requireKey(file) };
  const path = join(dir, KEY_FILE);
  return { name: path, find: () => readKey(path), create: () => createKey(path) };
}

/** @throws TorusError `internal` with the command that makes one */
export function requireKey(path: string): Uint8Array {
  const key = readKey(path);
  if (key) return key;
  throw new TorusError(
    "internal",
    `the key file ${path} does not exist: put it there, or make a new one with ${KEY_RECIPE}`,
  );
}

function readKey(path: string): Uint8Array | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === "ENOENT") return undefined;
    throw new TorusError("internal", `the key file ${path} cannot be read (${String(code)})`);
  }
  const key = parseKey(text);
  if (key) return key;
  throw new TorusError("internal", `the key file ${path} must hold 32 bytes in base64 or hexadecimal`);
}

/** Written atomically, flushed to the disk before its first use, and never over another key. */
function createKey(path: string): Uint8Array {
  const key = randomBytes(KEY_BYTES);
  const part = `${path}.${randomBytes(4).toString("hex")}.part`;
  const file = openSync(part, "wx", 0o600);
  try {
    writeSync(file, `${key.toString("base64")}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  linkSync(part, path);
  unlinkSync(part);
  const folder = openSync(dirname(path), "r");
  fsyncSync(folder);
  closeSync(folder);
  return key;
}
