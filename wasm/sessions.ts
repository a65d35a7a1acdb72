// LRU cache of the compiled models of a worker.
import { Session } from "./ort.ts";

/** Sessions kept. */
const CAPACITY = 64;

export class SessionCache {
  readonly #sessions = new Map<string, Session>();

  /** The session of `key`, built if it is not cached. */
  async get(key: string, build: () => Uint8Array): Promise<Session> {
    const session = this.#sessions.get(key) ?? (await Session.create(build()));
    // Maps keep insertion order: inserting again makes this the most recent.
    this.#sessions.delete(key);
    this.#sessions.set(key, session);
    if (this.#sessions.size > CAPACITY) await this.#evictOldest();
    return session;
  }

  async release(): Promise<void> {
    for (const session of this.#sessions.values()) await session.release();
    this.#sessions.clear();
  }

  async #evictOldest(): Promise<void> {
    const [key, session] = this.#sessions.entries().next().value!;
    this.#sessions.delete(key);
    await session.release();
  }
}
