// The API document of this version, as its server answers it.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { ApiDocument } from "../../src/http/docs/openapi-document.ts";
import { root } from "../release/files.ts";

/**
 * Starts a server, reads its `/openapi.json`, and stops it.
 * @param work an empty folder for its data
 * @throws Error with what it wrote where it does not start
 */
export async function readDocument(work: string): Promise<ApiDocument> {
  const data = join(work, "data");
  mkdirSync(data);
  const where = ["--listen", "127.0.0.1:0", "--data-dir", data];
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("TORUS_")));
  const child = Bun.spawn([process.execPath, join(root, "src/main.ts"), "serve", ...where], {
    cwd: work,
    env: { ...env, TORUS_SERVER_WORKERS: "1" },
    stdout: "pipe",
    stderr: "inherit",
  });
  try {
    const url = await readUrl(child.stdout);
    const response = await fetch(new URL("openapi.json", url));
    return (await response.json()) as ApiDocument;
  } finally {
    child.kill();
    await child.exited;
  }
}

/** Address in the log. @throws Error with the log where it ends without one */
async function readUrl(stdout: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream(stdout)) {
    text += decoder.decode(chunk, { stream: true });
    const line = text
      .split("\n")
      .slice(0, -1)
      .find((each) => each.includes('"listening"'));
    if (line) return (JSON.parse(line) as { url: string }).url;
  }
  throw new Error(`the server did not start: ${text.trim()}`);
}

const stream = (from: ReadableStream<Uint8Array>) => from as unknown as AsyncIterable<Uint8Array>;
