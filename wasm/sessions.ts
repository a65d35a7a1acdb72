// Compiled models of one worker, by what they were built for; the least recently used goes when there are too many.
import { Session } from "./ort.ts";

/** A session costs about 10 ms to create and 0.2 MB to keep. */
const CAPACITY = 64;

export class SessionCache {
  private readonly sessions = new Map<string, Session>();

  /** The session under `key`, built now if it is new. */
  async get(key: string, build: () => Uint8Array): Promise<Session> {
    const session = this.sessions.get(key) ?? (await Session.create(build()));
    // Maps keep insertion order: deleting and setting again makes this the most recent.
    this.sessions.delete(key);
    this.sessions.set(key, session);
    if (this.sessions.size > CAPACITY) await this.evictOldest();
    return session;
  }

  async release(): Promise<void> {
    for (const session of this.sessions.values()) await session.release();
    this.sessions.clear();
  }

  private async evictOldest(): Promise<void> {
    const [key, session] = this.sessions.entries().next().value!;
    this.sessions.delete(key);
    await session.release();
  }
}
