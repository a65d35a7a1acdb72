// Command `npm run release`: packages, images, clients, documentation, folders for deployment, bill of materials and
// checksums of this commit into dist/release.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { makeClients } from "./clients/make.ts";
import { buildDeb } from "./release/deb.ts";
import { writeDeploy } from "./release/deploy.ts";
import { writeDocs } from "./release/docs.ts";
import { listFiles, root } from "./release/files.ts";
import { type BuiltImage, buildImage, writeDockerArchive, writeLayout } from "./release/image.ts";
import { unpackLibc } from "./release/libc.ts";
import { type Architecture, type Channel, channels, manifest, programChannels } from "./release/manifest.ts";
import { buildRpm } from "./release/rpm.ts";
import { readReleaseTime } from "./release/time.ts";
import { runTool } from "./release/tools.ts";
import type { PackageInput } from "./release/tree.ts";
import { listProgramPaths, makeSbom, readLock } from "./sbom.ts";

const architectures: readonly Architecture[] = manifest.architectures;
const names = architectures.map(({ debian }) => debian);
const usage = `npm run release -- [--only ${channels.join(",")}] [--arch ${names.join(",")}] [--out FOLDER]`;

/** Words of an option, all by default. @throws Error naming those there are */
function pick<T extends string>(text: string | undefined, known: readonly T[]): readonly T[] {
  const words = text?.split(",") ?? known;
  const unknown = words.find((word) => !(known as readonly string[]).includes(word));
  if (unknown !== undefined) throw new Error(`there is no ${unknown}: ${known.join(", ")}\n${usage}`);
  return words as readonly T[];
}

/** Compiles the program; its name is part of the result, so it is the same everywhere. @returns its path */
async function compile({ target }: Architecture, folder: string): Promise<string> {
  const path = join(folder, manifest.name);
  await runTool([process.execPath, join(root, ".ci/build.ts"), "--target", target, "--out", path], {
    releasedAt: 0,
  });
  return path;
}

/** Whether to build the .rpm: where it is not asked for by name, only with its tool. */
function canBuildRpm(only: string | undefined): boolean {
  if (only !== undefined || Bun.which("rpmbuild")) return true;
  process.stdout.write("no .rpm: rpmbuild is not installed\n");
  return false;
}

const packagers = { deb: buildDeb, rpm: buildRpm } as const;

/** Builds the packages of one processor, and its image. */
async function release(
  architecture: Architecture,
  {
    wanted,
    releasedAt,
    folder,
    out,
  }: { wanted: readonly Channel[]; releasedAt: number; folder: string; out: string },
): Promise<BuiltImage | undefined> {
  const makeFolder = (name: string) => {
    const path = join(folder, architecture.debian, name);
    mkdirSync(path, { recursive: true });
    return path;
  };
  const binary = await compile(architecture, makeFolder("binary"));
  const files = await listFiles(binary, releasedAt);
  const inputOf = (channel: Channel): PackageInput => ({ files, releasedAt, work: makeFolder(channel), out });
  for (const [channel, build] of Object.entries(packagers) as [keyof typeof packagers, typeof buildDeb][])
    if (wanted.includes(channel)) report(await build(architecture, inputOf(channel)));
  if (!wanted.includes("image")) return undefined;
  const libc = await unpackLibc(architecture, { releasedAt, work: makeFolder("image") });
  const image = buildImage(architecture, { files, libc, releasedAt });
  report(await writeDockerArchive(image, { releasedAt, out }));
  return image;
}

const made: string[] = [];

function report(path: string): void {
  const megabytes = Bun.file(path).size / 1e6;
  process.stdout.write(`${basename(path)} (${megabytes.toFixed(1)} MB)\n`);
  made.push(path);
}

/** Makes the folder of the results, empty; one that is given is not emptied. @throws Error where it holds something */
function openOut(given: string | undefined): string {
  const out = given ?? join(root, "dist/release");
  if (given === undefined) rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  if (readdirSync(out).length > 0) throw new Error(`--out must be an empty folder: ${out}`);
  return out;
}

function writeChecksums(out: string): void {
  const lines = made.sort().map((path) => {
    const digest = new Bun.CryptoHasher("sha256").update(readFileSync(path)).digest("hex");
    return `${digest}  ${basename(path)}\n`;
  });
  writeFileSync(join(out, "SHA256SUMS"), lines.join(""));
}

const { values } = parseArgs({
  options: { only: { type: "string" }, arch: { type: "string" }, out: { type: "string" } },
});
const folder = mkdtempSync(join(tmpdir(), "torus-release-"));
try {
  const wanted = pick(values.only, channels).filter(
    (channel) => channel !== "rpm" || canBuildRpm(values.only),
  );
  const chosen = pick(values.arch, names);
  const out = openOut(values.out);
  const releasedAt = await readReleaseTime();
  if (wanted.includes("docs")) report(await writeDocs({ releasedAt, out }));
  if (wanted.includes("deploy")) report(writeDeploy({ releasedAt, out }));
  if (wanted.includes("clients")) {
    const work = join(folder, "clients");
    mkdirSync(work);
    for (const path of await makeClients({ work, out, releasedAt })) report(path);
  }
  const images: BuiltImage[] = [];
  const hasPackages = wanted.some((channel) => programChannels.includes(channel));
  for (const architecture of architectures.filter(({ debian }) => hasPackages && chosen.includes(debian))) {
    const image = await release(architecture, { wanted, releasedAt, folder, out });
    if (image) images.push(image);
  }
  if (images.length > 0) report(await writeLayout(images, { releasedAt, out }));
  const sbom = join(out, `${manifest.name}-${manifest.version}.cdx.json`);
  writeFileSync(sbom, `${JSON.stringify(makeSbom(await readLock(), await listProgramPaths()), null, 2)}\n`);
  report(sbom);
  writeChecksums(out);
} catch (error) {
  process.stderr.write(`release: ${(error as Error).message}\n`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
