// The walk-through of README.md does what it says when it is pasted into a shell.
import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "../support/server-process.ts";

const root = join(import.meta.dir, "../..");
const TEST_MS = 120_000;
const missing = ["bash", "curl", "awk"].filter((command) => !Bun.which(command));
if (missing.length > 0)
  console.warn(`walk-through of README.md not tried: there is no ${missing.join(", no ")}`);

async function readWalkthrough(): Promise<string> {
  const text = await Bun.file(join(root, "README.md")).text();
  const block = /<!-- walkthrough -->\n```sh\n([\s\S]*?)```\n<!-- \/walkthrough -->/.exec(text);
  if (!block) throw new Error("README.md has no walk-through between its markers");
  return block[1]!;
}

test.skipIf(missing.length > 0)(
  "the walk-through loads, trains, forecasts and finds Christmas odd",
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "walkthrough-"));
    const server = await startServer({ dataDir });
    try {
      const output = await runScript(await readWalkthrough(), server.url);
      const [bucket, write, model, training, ...answers] = output.split("\n");
      expect([bucket, model]).toEqual(['"success"', '"success"']);
      expect(write).toContain('"type":"write","state":"done"');
      expect(training).toContain('"type":"training","state":"done"');
      const rest = answers.join("\n");
      const end = rest.lastIndexOf("}") + 1;
      const { timestamps, predicted } = JSON.parse(rest.slice(0, end));
      expect(timestamps.length).toBe(6);
      expect(predicted.passengers.every(Number.isFinite)).toBe(true);
      const counts = Object.fromEntries(
        [...rest.slice(end).matchAll(/(\d+) "anomaly":(\w+)/g)].map(([, count, word]) => [
          word,
          Number(count),
        ]),
      );
      expect(counts.true + counts.false).toBe(3 * 48);
      expect(counts.true).toBeGreaterThan(2);
    } finally {
      await server.stop();
      await rm(dataDir, { recursive: true });
    }
  },
  TEST_MS,
);

/** @returns what a shell prints that is fed the script line by line, as when it is pasted */
async function runScript(script: string, url: string): Promise<string> {
  const shell = Bun.spawn(["bash"], {
    cwd: root,
    env: { ...process.env, TORUS: url },
    stdin: new TextEncoder().encode(script),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [output, errors] = await Promise.all([
    new Response(shell.stdout).text(),
    new Response(shell.stderr).text(),
  ]);
  expect(errors).toBe("");
  expect(await shell.exited).toBe(0);
  return output;
}
