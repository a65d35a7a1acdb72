// Log: one JSON line per event, without terminal control characters and secrets.
import { describe, expect, test } from "bun:test";
import { TorusError } from "../../src/core/errors.ts";
import { createLog, type LogFields } from "../../src/telemetry/log.ts";

function logged(fields: LogFields, msg = "hello"): string {
  const lines: string[] = [];
  createLog({ level: "debug", write: (line) => lines.push(line), now: () => 0 }).info(msg, fields);
  expect(lines).toHaveLength(1);
  return lines[0]!;
}

test("a line holds level, time, message and fields", () => {
  expect(JSON.parse(logged({ request_id: "r1" }))).toEqual({
    level: "info",
    time: "1970-01-01T00:00:00.000Z",
    msg: "hello",
    request_id: "r1",
  });
});

test("levels below the chosen one are dropped", () => {
  const lines: string[] = [];
  const log = createLog({ level: "warn", write: (line) => lines.push(line), now: () => 0 });
  for (const level of ["debug", "info", "warn", "error"] as const) log[level](level);
  expect(lines.map((line) => JSON.parse(line).level)).toEqual(["warn", "error"]);
});

test("bound fields are on every line", () => {
  const lines: string[] = [];
  const log = createLog({ level: "info", write: (line) => lines.push(line), now: () => 0 });
  log.with({ request_id: "r1" }).with({ job: "j" }).info("x", { n: 1 });
  expect(JSON.parse(lines[0]!)).toMatchObject({ request_id: "r1", job: "j", n: 1 });
});

describe("what must not be in a line", () => {
  const controls = "a\r\nb\u001b[31mc\u0085d\u2028e\u007ff";
  const cases: [string, LogFields, string[]][] = [
    ["control characters", { name: controls }, ["\r", "\n", "\u001b", "\u0085", "\u2028", "\u007f"]],
    ["control characters in a key", { [controls]: 1 }, ["\n", "\u001b", "\u2028"]],
    ["authorization", { headers: { Authorization: "Bearer hunter2" } }, ["hunter2"]],
    ["secrets by name", { dbuser_password: "hunter2", api_key: "hunter2", Token: "hunter2" }, ["hunter2"]],
    ["bodies", { body: { a: "hunter2" } }, ["hunter2"]],
    ["passwords in addresses", { url: "http://ada:hunter2@db:8086/x" }, ["hunter2", "ada"]],
    ["passwords in errors", { error: new Error("GET http://ada:hunter2@db/ failed") }, ["hunter2"]],
  ];
  test.each(cases)("%s", (_name, fields, forbidden) => {
    const line = logged(fields);
    for (const text of forbidden) expect(line).not.toContain(text);
    expect(() => JSON.parse(line)).not.toThrow();
  });
});

describe("what a line survives", () => {
  const loop: Record<string, unknown> = {};
  loop.self = loop;
  const cases: [string, LogFields, string][] = [
    ["a circle", { loop }, "[deep]"],
    ["a bigint", { n: 10n }, '"10"'],
    ["bytes", { blob: new Uint8Array(1000) }, "[1000 bytes]"],
    ["a long text", { text: "x".repeat(100_000) }, "..."],
    ["an error with its stack", { error: new TypeError("boom") }, "log.test.ts"],
  ];
  test.each(cases)("%s", (_name, fields, expected) => {
    const line = logged(fields);
    expect(line).toContain(expected);
    expect(line.length).toBeLessThan(10_000);
  });
});

test("an outage of the database is a warning in one line, without a stack", () => {
  const lines: string[] = [];
  const log = createLog({ level: "info", write: (line) => lines.push(line), now: () => 0 });
  log.error("job failed unexpectedly", {
    error: new TorusError("storage_unavailable", "it does not answer"),
  });
  log.error("job failed unexpectedly", { error: new TypeError("x") });
  const [outage, bug] = lines.map((line) => JSON.parse(line));
  expect(outage.level).toBe("warn");
  expect(outage.error).toEqual({
    name: expect.any(String),
    code: "storage_unavailable",
    message: "it does not answer",
  });
  expect([bug.level, typeof bug.error.stack]).toEqual(["error", "string"]);
});

describe("lines of an outage", () => {
  const outage = new TorusError("storage_unavailable", "it does not answer");
  const full = new TorusError("storage_full", "make room");

  /** Writes lines at the given seconds. @returns message and number of repeats of those that were written */
  function write(lines: readonly [second: number, msg: string, error: Error][]): unknown[] {
    let second = 0;
    const written: unknown[] = [];
    const log = createLog({
      level: "info",
      write: (line) => {
        const { msg, repeated = 0 } = JSON.parse(line);
        written.push([second, msg, repeated]);
      },
      now: () => second * 1000,
    });
    for (const [at, msg, error] of lines) {
      second = at;
      log.with({ model: `m${at}` }).error(msg, { error });
    }
    return written;
  }

  test("are one a minute per message, which counts the others", () => {
    const models = Array.from(
      { length: 125 },
      (_, i) => [i, "not evaluated", outage] as [number, string, Error],
    );
    const others = [...models, [124, "not read", outage], [124, "not evaluated", full]] as typeof models;
    expect(write(others)).toEqual([
      [0, "not evaluated", 0],
      [60, "not evaluated", 59],
      [120, "not evaluated", 59],
      [124, "not read", 0],
      [124, "not evaluated", 0],
    ]);
  });

  test("are written after the clock was set back", () => {
    const lines = write([
      [3600, "not read", outage],
      [0, "not read", outage],
      [1, "not read", outage],
    ]);
    expect(lines).toEqual([
      [3600, "not read", 0],
      [0, "not read", 0],
    ]);
  });

  test("of another error are all written", () => {
    const bug = new Error("a bug");
    expect(write([0, 1, 2].map((second) => [second, "not read", bug]))).toHaveLength(3);
  });
});
