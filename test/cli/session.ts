// Set-up of command tests: a server, a command line, a directory for files.
import { expect } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { useTestServer } from "../contract/server.ts";
import { temporaryFolder } from "../support/folder.ts";
import { type Ended, run, type TerminalOptions } from "./fake-terminal.ts";

export interface Session {
  readonly url: string;
  readonly dir: string;
  /** Lines of the server's log. */
  readonly log: readonly string[];
  /** Runs a command line against the server. */
  torus(line: string, options?: TerminalOptions): Promise<Ended>;
  /** Runs a command that must succeed. @returns its output */
  ok(line: string, options?: TerminalOptions): Promise<string>;
  /** The same with `--json`, parsed. */
  json<T = unknown>(line: string, options?: TerminalOptions): Promise<T>;
  /** Writes a file. @returns its path */
  makeFile(name: string, text: string): string;
}

/** Starts a server before the tests of this file, and stops it after them. */
export function useSession(): Session {
  const server = useTestServer();
  const dir = temporaryFolder();
  const session: Session = {
    get url() {
      return server.url;
    },
    dir,
    get log() {
      return server.lines;
    },
    torus: (line, options = {}) => run(line, { ...options, env: { TORUS_ADDR: server.url, ...options.env } }),
    ok: async (line, options) => {
      const { code, out, err } = await session.torus(line, options);
      expect(`${line}: ${code} ${code === 0 ? "" : err}`).toBe(`${line}: 0 `);
      return out;
    },
    json: async (line, options) => JSON.parse(await session.ok(`${line} --json`, options)),
    makeFile: (name, text) => {
      const path = join(dir, name);
      writeFileSync(path, text);
      return path;
    },
  };
  return session;
}
