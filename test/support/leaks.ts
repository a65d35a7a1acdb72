// Test preload: gives a run a home of its own; timers, workers, servers and folders that it leaves behind fail it.
import { afterAll } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FOLDERS } from "./folder.ts";

interface Leak {
  readonly what: string;
  readonly place: string;
}

const open = new Map<unknown, Leak>();

// Temporary folders of this run go to a folder of its own; whatever is still in it at the end was left behind.
const runDir = mkdtempSync(join(tmpdir(), "torus-test-"));
process.env.TMPDIR = runDir;

// A home of its own: a server of the same account, its data and its variables have no part in the tests.
const home = join(runDir, "home");
mkdirSync(home);
process.env.HOME = home;
for (const name of Object.keys(process.env))
  if (/^(XDG_|TORUS_(?!(?:PROGRAM|CONTRACT_BASE)$))/.test(name)) delete process.env[name];

/** First line of the stack that lies in neither this file nor a package. */
function findPlace(): string {
  const lines = (new Error().stack ?? "").split("\n").slice(1);
  const own = lines.find((line) => !line.includes("support/leaks.ts") && !line.includes("node_modules"));
  return (own ?? lines.at(-1) ?? "unknown place").trim().replace(/^at /, "");
}

function watchTimers(): void {
  const { setTimeout: realTimeout, setInterval: realInterval } = globalThis;
  const { clearTimeout: realClearTimeout, clearInterval: realClearInterval } = globalThis;
  const forget = (timer: unknown): void => {
    open.delete(timer);
    // A timer may also be cleared by its number.
    if (typeof timer === "number") for (const key of open.keys()) if (isTimer(key, timer)) open.delete(key);
  };
  const remember = (timer: object, what: string) => {
    open.set(timer, { what, place: findPlace() });
    return Object.assign(timer, { [Symbol.dispose]: () => globalThis.clearTimeout(timer as never) });
  };
  const startTimeout = (callback: (...rest: unknown[]) => void, ms?: number, ...args: unknown[]) => {
    const fire = (...rest: unknown[]): void => {
      open.delete(timer);
      callback(...rest);
    };
    const timer = realTimeout(fire, ms, ...args);
    return remember(timer, `timer of ${ms ?? 0} ms`);
  };
  const startInterval = (callback: (...rest: unknown[]) => void, ms?: number, ...args: unknown[]) => {
    return remember(realInterval(callback, ms, ...args), `interval of ${ms ?? 0} ms`);
  };
  const clear = (real: (timer: never) => void) => (timer: unknown) => {
    forget(timer);
    real(timer as never);
  };
  Object.assign(globalThis, {
    setTimeout: Object.assign(startTimeout, realTimeout),
    setInterval: Object.assign(startInterval, realInterval),
    clearTimeout: clear(realClearTimeout),
    clearInterval: clear(realClearInterval),
  });
}

function isTimer(key: unknown, id: number): boolean {
  return typeof key === "object" && key !== null && Symbol.toPrimitive in key && Number(key) === id;
}

function watchWorkers(): void {
  const RealWorker = globalThis.Worker;
  globalThis.Worker = class extends RealWorker {
    constructor(...args: ConstructorParameters<typeof Worker>) {
      super(...args);
      open.set(this, { what: "worker", place: findPlace() });
      this.addEventListener("close", () => open.delete(this));
    }
    override terminate(): void {
      open.delete(this);
      super.terminate();
    }
  };
}

function watchServers(): void {
  const realServe = Bun.serve;
  const serve = (...args: Parameters<typeof Bun.serve>) => {
    const server = realServe(...args);
    open.set(server, { what: `server on port ${server.port}`, place: findPlace() });
    const realStop = server.stop.bind(server);
    server.stop = (closeActive?: boolean) => {
      open.delete(server);
      return realStop(closeActive);
    };
    return server;
  };
  Bun.serve = serve as typeof Bun.serve;
}

watchTimers();
watchWorkers();
watchServers();

afterAll(() => {
  const leaks = [...open.values()].map(({ what, place }) => `${what}, started at ${place}`);
  for (const name of readdirSync(runDir))
    if (name !== "home" && name !== FOLDERS) leaks.push(`temporary folder ${name}`);
  // A server that is given no data directory uses the home.
  if (existsSync(join(home, ".local/share/torus"))) leaks.push("a data directory in the home");
  rmSync(runDir, { recursive: true, force: true });
  if (leaks.length > 0) throw new Error(`left behind by the tests:\n  ${leaks.join("\n  ")}`);
});
