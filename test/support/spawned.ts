// A real server for tests as a child process: on a free port, in a folder of its own, removed afterwards.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const FIRST_PORT = 12_000;
const PORTS = 20_000;

/** True where a missing server is a failure and not a reason to skip. */
export const isServerRequired: boolean = process.env.CI === "true" || process.env.CI === "1";

/**
 * A port nobody listens on now. It lies below those a system gives to connections (32 768 on Linux, 49 152 by
 * RFC 6335): one of those may be taken by a connection of another test before the server listens on it.
 */
export function findFreePort(): number {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * PORTS);
    try {
      Bun.listen({ hostname: "127.0.0.1", port, exclusive: true, socket: { data() {} } }).stop(true);
      return port;
    } catch {
      // Taken: another one.
    }
  }
}

/** A folder of its own below the one for temporary files. */
export function makeFolder(name: string): string {
  return mkdtempSync(join(tmpdir(), `${name}-`));
}

export interface SpawnOptions {
  readonly command: readonly string[];
  /** Holds its log too; removed when it stops. */
  readonly dir: string;
  /** Whether it answers. */
  isReady(): Promise<boolean>;
}

/** Ends a server and removes its folder. */
export interface StopServer {
  (): Promise<void>;
  readonly pid: number;
}

/** Starts it and waits until it is ready. */
export async function spawnServer({ command, dir, isReady }: SpawnOptions): Promise<StopServer> {
  const log = join(dir, "log");
  const child = Bun.spawn([...command], { stdout: Bun.file(log), stderr: Bun.file(log), stdin: "ignore" });
  const stop = async () => {
    child.kill("SIGKILL");
    await child.exited;
    rmSync(dir, { recursive: true, force: true });
  };
  const endsAt = performance.now() + 20_000;
  while (child.exitCode === null && performance.now() < endsAt) {
    if (await isReady().catch(() => false)) return Object.assign(stop, { pid: child.pid });
    await Bun.sleep(20);
  }
  const said = await Bun.file(log).text();
  await stop();
  throw new Error(`${command[0]} did not get ready: ${said.slice(-500)}`);
}
