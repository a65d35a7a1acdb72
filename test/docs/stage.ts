// Environment for the commands of the documents: home, folder, PATH, server, data sources.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandOf, shortLived, startServer } from "../support/server-process.ts";
import { startSmtp } from "../support/smtp.ts";
import { findFreePort } from "../support/spawned.ts";
import { type Block, root } from "./pages.ts";
import { sources } from "./sources.ts";

export interface Outcome {
  readonly exitCode: number;
  readonly output: string;
  readonly errors: string;
}

export interface Stage {
  /** Runs a block in a shell of its own, with the addresses of the documents changed to those that are taken here. */
  run(block: Block): Promise<Outcome>;
  close(): Promise<void>;
}

/** Shell options under which a block runs: the first command that fails ends it, and nothing outlives it. */
const PRELUDE = `set -euo pipefail; trap 'code=$?; kill $(jobs -p) 2>/dev/null || true; wait; exit $code' EXIT\n`;
/** An answer that is an error fails the command. */
const CURLRC = "fail-with-body\nsilent\nshow-error\n";

/** Why a block cannot run here; undefined where it can. */
export function whyNot(block: Block): string | undefined {
  const { notRun, needs } = block;
  const programs = needs.filter((name) => (name in sources ? sources[name]!.missing : !Bun.which(name)));
  const missing = [...programs, ...missingModules(block)];
  return notRun ?? (missing.length > 0 ? `${missing.join(" and ")} is not installed` : undefined);
}

/** What a program in Python imports and is not there. */
function missingModules({ language, text }: Block): readonly string[] {
  if (language !== "python") return [];
  if (!Bun.which("python3")) return ["python3"];
  const lists = [...text.matchAll(/^import (.+)$/gm)].flatMap(([, list = ""]) => list.split(","));
  const modules = lists.map((name) => name.trim().split(".")[0]!);
  const isThere = (name: string) => Bun.spawnSync(["python3", "-c", `import ${name}`]).exitCode === 0;
  return modules.filter((name) => !isThere(name)).map((name) => `${name} of Python`);
}

/** Starts a server, and the programs the blocks need. @param env further variables of the server */
export async function openStage(
  blocks: readonly Block[],
  env: Readonly<Record<string, string>> = {},
): Promise<Stage> {
  const home = mkdtempSync(join(tmpdir(), "docs-"));
  const folder = join(home, "torus");
  const ends: (() => unknown)[] = [() => rmSync(home, { recursive: true })];
  const close = async () => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  try {
    furnish(home, folder);
    const smtp = await startSmtp();
    ends.push(() => smtp.stop());
    const args = ["--mail-config", join(home, "mail.yml")];
    writeFileSync(args[1]!, `smtp: {host: 127.0.0.1, port: ${smtp.port}, tls: false}\n`);
    const server = await startServer({ dataDir: join(home, ".local/share/torus"), args, env });
    ends.push(() => server.stop());
    const addresses = new Map([
      ["localhost:8077", new URL(server.url).host],
      ["localhost:8078", `localhost:${findFreePort()}`],
    ]);
    for (const { address, start } of listSources(blocks)) {
      const { addr, stop } = await start();
      ends.push(stop);
      addresses.set(address, addr);
    }
    const run = ({ language, text }: Block) => {
      const script = language === "python" ? `python3 - <<'PYTHON'\n${text}\nPYTHON\n` : text;
      return runShell(replaceAll(script, addresses), { folder, home, url: server.url });
    };
    return { run, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What a reader would have: this repository's folders, the program. */
function furnish(home: string, folder: string): void {
  mkdirSync(folder);
  for (const name of ["test", "deploy"]) symlinkSync(join(root, name), join(folder, name));
  writeFileSync(join(home, ".curlrc"), CURLRC);
  installProgram(join(home, "bin"));
}

/** `torus` runs the sources, or the binary that TORUS_PROGRAM names. */
function installProgram(bin: string): void {
  const words = commandOf()
    .map((word) => `'${word}'`)
    .join(" ");
  mkdirSync(bin);
  writeFileSync(join(bin, "torus"), `#!/bin/sh\nexec ${words} "$@"\n`);
  chmodSync(join(bin, "torus"), 0o755);
}

/** The sources that blocks which can run need. */
function listSources(blocks: readonly Block[]) {
  const names = blocks.filter((block) => whyNot(block) === undefined).flatMap(({ needs }) => needs);
  return [...new Set(names)].flatMap((name) => sources[name] ?? []);
}

function replaceAll(text: string, replacements: ReadonlyMap<string, string>): string {
  return [...replacements].reduce((result, [from, to]) => result.replaceAll(from, to), text);
}

async function runShell(
  script: string,
  { folder, home, url }: { folder: string; home: string; url: string },
): Promise<Outcome> {
  // Settings of whoever runs the tests must not leak into them.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("TORUS_")));
  const shell = Bun.spawn(["bash", "-c", PRELUDE + script], {
    cwd: folder,
    env: {
      ...env,
      ...shortLived,
      HOME: home,
      PATH: `${join(home, "bin")}:${env.PATH}`,
      TORUS_ADDR: url,
      NO_COLOR: "1",
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const texts = [new Response(shell.stdout).text(), new Response(shell.stderr).text()] as const;
  const [output, errors] = await Promise.all(texts);
  return { exitCode: await shell.exited, output: output.trimEnd(), errors };
}
