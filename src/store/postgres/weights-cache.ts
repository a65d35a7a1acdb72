// Cache of weights in files of the data directory, by checksum: a version never changes, and the database is far.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Weights of some 30 000 models. */
const MAX_BYTES = 4 * 1024 ** 3;
const FILE_MODE = 0o600;

/** Losing it costs time alone: files that cannot be read or written are left out. */
export class WeightsCache {
  readonly #dir: string;
  /** Sizes by checksum, those used longest ago first. */
  readonly #files = new Map<string, number>();
  #bytes = 0;

  /** @param dataDir of the node; another process must not use it */
  constructor(
    dataDir: string,
    private readonly maxBytes = MAX_BYTES,
  ) {
    this.#dir = join(dataDir, "cache", "weights");
    this.#list();
  }

  /** @returns bytes that the caller has to check; undefined where they are not there */
  get(checksum: string): Uint8Array | undefined {
    const size = this.#files.get(checksum);
    if (size === undefined) return undefined;
    this.#files.delete(checksum);
    try {
      const bytes = readFileSync(this.#pathOf(checksum));
      this.#files.set(checksum, size);
      return bytes;
    } catch {
      this.#bytes -= size;
      return undefined;
    }
  }

  put(checksum: string, bytes: Uint8Array): void {
    if (bytes.byteLength > this.maxBytes) return;
    try {
      mkdirSync(this.#dir, { recursive: true, mode: 0o700 });
      const part = `${this.#pathOf(checksum)}.part`;
      writeFileSync(part, bytes, { mode: FILE_MODE });
      renameSync(part, this.#pathOf(checksum));
    } catch {
      return;
    }
    this.#bytes += bytes.byteLength - (this.#files.get(checksum) ?? 0);
    this.#files.delete(checksum);
    this.#files.set(checksum, bytes.byteLength);
    this.#evict();
  }

  /** Removes a file whose bytes are damaged. */
  drop(checksum: string): void {
    this.#bytes -= this.#files.get(checksum) ?? 0;
    this.#files.delete(checksum);
    rmSync(this.#pathOf(checksum), { force: true });
  }

  #evict(): void {
    for (const checksum of [...this.#files.keys()]) {
      if (this.#bytes <= this.maxBytes) return;
      this.drop(checksum);
    }
  }

  #list(): void {
    let names: string[] = [];
    try {
      names = readdirSync(this.#dir);
    } catch {
      return;
    }
    const found = names.flatMap((name) => {
      const { size, mtimeMs } = statSync(join(this.#dir, name));
      return /^[0-9a-f]{64}$/.test(name) ? [{ name, size, mtimeMs }] : [];
    });
    for (const { name, size } of found.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
      this.#files.set(name, size);
      this.#bytes += size;
    }
  }

  #pathOf(checksum: string): string {
    return join(this.#dir, checksum);
  }
}
