// Command `npm run build`: one file that holds the server, its workers, the compute runtime and the command line.
import { mkdirSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { entryPoints, leftOut } from "../src/app/licenses/bundled.ts";
import { collectNotices } from "../src/app/licenses/notices.ts";
import { NOTICES_FILE } from "../src/app/licenses/read.ts";
import { bundleUi } from "../src/app/ui/bundle.ts";
import { checkSizes, measureParts, renderSizes } from "./parts.ts";

/** By the names people use; `baseline` needs no AVX2, `musl` is for Alpine. */
const targets = {
  "linux-x64": "bun-linux-x64",
  "linux-x64-baseline": "bun-linux-x64-baseline",
  "linux-x64-musl": "bun-linux-x64-musl",
  "linux-x64-musl-baseline": "bun-linux-x64-musl-baseline",
  "linux-arm64": "bun-linux-arm64",
  "linux-arm64-musl": "bun-linux-arm64-musl",
  "darwin-x64": "bun-darwin-x64",
  "darwin-arm64": "bun-darwin-arm64",
  "windows-x64": "bun-windows-x64",
} as const;

type Target = keyof typeof targets;

/**
 * Files of the current folder are input of its owner: a `preload` in bunfig.toml would run code in every command, and a
 * `.env` would send the client's token to another server.
 */
const ignoreFolder = {
  autoloadBunfig: false,
  autoloadDotenv: false,
  autoloadPackageJson: false,
  autoloadTsconfig: false,
} as const;

const root = resolve(import.meta.dir, "..");
const usage = `npm run build -- [--target ${Object.keys(targets).join("|")}|all] [--out FILE]`;

/** Compiles for one target, or for this machine. @throws AggregateError with what the compiler said */
async function build(
  target: Target | undefined,
  outfile: string,
  embedded: readonly string[],
): Promise<void> {
  const compileTo = (path: string) => ({
    compile: { outfile: path, ...ignoreFolder, ...(target && { target: targets[target] }) },
  });
  const { metafile } = await Bun.build({
    // Embedded files have to be entry points, too.
    entrypoints: [...entryPoints, ...embedded],
    root,
    external: [...leftOut],
    loader: { ".gz": "file" },
    naming: { asset: "[name].[ext]" },
    // Shorter names would break the framework: it reads the source of handlers to see what they use.
    minify: { whitespace: true, syntax: true, identifiers: false },
    // Ready to run instead of to be parsed.
    bytecode: true,
    // A command reads its own part of the scripts: with the whole it takes twice the CPU.
    splitting: true,
    format: "esm",
    metafile: true,
    ...compileTo(outfile),
  });
  const compile = (entry: string, path: string) => Bun.build({ entrypoints: [entry], ...compileTo(path) });
  const sizes = await measureParts({ program: outfile, metafile: metafile!, embedded, compile });
  const megabytes = (statSync(outfile).size / 1e6).toFixed(1);
  process.stdout.write(`${target ?? "this machine"}: ${outfile} (${megabytes} MB: ${renderSizes(sizes)})\n`);
  // The runtimes of other systems have sizes of their own.
  if (!target || target.startsWith("linux")) checkSizes(sizes);
}

/** Writes the files to embed: the dashboard and the licence texts, compressed. @returns their paths */
async function writeEmbedded(): Promise<string[]> {
  const folder = join(root, "dist/embedded");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const ui = (await bundleUi()).map(({ name, bytes }) => ({ name: `ui-${name}.gz`, bytes }));
  const notices = Bun.gzipSync(Buffer.from(await collectNotices()), { library: "libdeflate", level: 12 });
  return Promise.all(
    [...ui, { name: NOTICES_FILE, bytes: notices }].map(async ({ name, bytes }) => {
      const path = join(folder, name);
      await Bun.write(path, bytes);
      return path;
    }),
  );
}

function fileOf(target: Target | undefined): string {
  if (!target) return "torus";
  return `torus-${target}${target.startsWith("windows") ? ".exe" : ""}`;
}

function readTargets(text: string | undefined): (Target | undefined)[] {
  if (text === undefined) return [undefined];
  if (text === "all") return Object.keys(targets) as Target[];
  if (!Object.hasOwn(targets, text)) throw new Error(`there is no target ${text}\n${usage}`);
  return [text as Target];
}

const { values } = parseArgs({ options: { target: { type: "string" }, out: { type: "string" } } });
try {
  const list = readTargets(values.target);
  const given = list.length === 1 && values.out ? resolve(values.out) : undefined;
  // The bundler names modules from the current folder, and these names are in the program.
  process.chdir(root);
  const embedded = await writeEmbedded();
  for (const target of list) {
    const asked = given ?? join(root, "dist", fileOf(target));
    // The compiler would add the ending by itself.
    const outfile = target?.startsWith("windows") && !asked.endsWith(".exe") ? `${asked}.exe` : asked;
    mkdirSync(join(outfile, ".."), { recursive: true });
    rmSync(outfile, { force: true });
    await build(target, outfile, embedded);
  }
} catch (error) {
  const reasons = error instanceof AggregateError ? error.errors : [error];
  for (const reason of reasons) process.stderr.write(`build: ${(reason as Error).message}\n`);
  process.exit(1);
}
