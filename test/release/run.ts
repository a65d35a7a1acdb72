// Command `npm run test:release`: builds the release twice, installs each artefact in a clean root and runs the
// contract against the server within. `-- --arch amd64` for one processor, `-- --skip-equal` with one build.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Architecture, manifest } from "../../.ci/release/manifest.ts";
import { startServer } from "../support/server-process.ts";
import { proveAnsible } from "./ansible.ts";
import { proveDockerfile } from "./dockerfile.ts";
import { proveAddOn } from "./home-assistant.ts";
import { proveDeb, proveRpm } from "./packages.ts";
import { type Entering, enter, must, unpackImage } from "./roots.ts";

const root = resolve(import.meta.dir, "../..");
const { version, revision, image, user, paths } = manifest;
const TOOLS = ["dpkg-deb", "rpmbuild", "mmdebstrap", "skopeo", "umoci", "lintian", "unshare"];
/** Names of this machine's processor and of its emulators. */
const here = { x64: "amd64", arm64: "arm64" }[process.arch as "x64" | "arm64"];
const emulators = { amd64: "qemu-x86_64-static", arm64: "qemu-aarch64-static" } as const;
/** Rules that an emulated server passes in a minute; another one passes all. */
const QUICK_RULES = "^(root|requests|buckets|templates) ";

const { values } = parseArgs({
  args: process.argv.slice(2),
  options: { arch: { type: "string" }, "skip-equal": { type: "boolean" } },
});
const folder = mkdtempSync(join(tmpdir(), "torus-release-test-"));
const out = join(folder, "first");
let failures = 0;

async function prove(title: string, work: () => Promise<string>): Promise<void> {
  const startedAt = performance.now();
  try {
    const found = await work();
    console.log(`ok: ${title}: ${found} (${((performance.now() - startedAt) / 1000).toFixed(0)} s)`);
  } catch (error) {
    failures++;
    console.log(`FAILED: ${title}: ${(error as Error).message}`);
  }
}

async function build(sources: string, target: string): Promise<void> {
  const options = values.arch ? ["--arch", values.arch] : [];
  await must(process.execPath, join(sources, ".ci/release.ts"), "--out", target, ...options);
}

/** Builds the last commit again, from a copy in a deeper folder. */
async function proveEqual(): Promise<string> {
  const copy = join(folder, "a/deeper/folder/of/sources");
  await must("git", "clone", "--quiet", root, copy);
  await must("cp", "-a", join(root, "node_modules"), join(copy, "node_modules"));
  const second = join(folder, "second");
  await build(copy, second);
  const names = readdirSync(out);
  const differing = names.filter(
    (name) => !readFileSync(join(out, name)).equals(readFileSync(join(second, name))),
  );
  if (differing.length > 0) throw new Error(`differ: ${differing.join(", ")}`);
  rmSync(copy, { recursive: true });
  return `${names.length} files are the same`;
}

/** Starts the server of a root, and holds it to the contract. @returns how many rules it has passed */
async function proveServer(
  entering: Entering,
  { program, dataDir }: { program: string; dataDir: string },
): Promise<string> {
  const server = await startServer({ prefix: enter(entering), program, dataDir });
  try {
    const filter = entering.emulator ? ["--test-name-pattern", QUICK_RULES] : [];
    const child = Bun.spawn(
      [process.execPath, "test", "--timeout", "60000", "test/contract/contract.test.ts", ...filter],
      {
        cwd: root,
        env: { ...process.env, TORUS_CONTRACT_BASE: server.url },
        stdout: "ignore",
        stderr: "pipe",
      },
    );
    const text = await new Response(child.stderr).text();
    const passed = Number(/^ *(\d+) pass$/m.exec(text)?.[1] ?? 0);
    if ((await child.exited) !== 0 || passed < 20)
      throw new Error(`${passed} rules passed\n${text.match(/^\(fail\).*$/gm)?.join("\n")}`);
    return `${passed} rules of the contract`;
  } finally {
    await server.stop();
  }
}

const imageOf = (debian: string) => join(out, `torus-${version}-docker-${debian}.tar`);

async function proveImage({ debian }: Architecture, emulator: string | undefined): Promise<string> {
  const unpacked = await unpackImage(imageOf(debian), {
    folder: join(folder, `image-${debian}`),
    tag: version,
  });
  const entering = { root: unpacked, user: `${user.uid}:${user.uid}`, isReadOnly: true, emulator };
  return proveServer(entering, { program: image.path, dataDir: image.state });
}

interface PackageFiles {
  readonly deb: string;
  readonly rpm: string;
}

/** Packages of another processor, unpacked beside the C library of its image: none of its scripts can run here. */
async function proveForeign({ debian }: Architecture, emulator: string, files: PackageFiles): Promise<void> {
  const unpacked = join(folder, `image-${debian}`, "root");
  const run = () =>
    proveServer({ root: unpacked, user: "0:0", emulator }, { program: paths.binary, dataDir: paths.state });
  await prove(`.deb ${debian}`, async () => {
    await must("dpkg-deb", "-x", files.deb, unpacked);
    return run();
  });
  await prove(`.rpm ${debian}`, async () => {
    rmSync(join(unpacked, paths.binary));
    const install = ["--nodeps", "--ignorearch", "--noscripts", "--install", files.rpm];
    await must("rpm", "--root", unpacked, ...install);
    return run();
  });
}

async function proveArchitecture(architecture: Architecture): Promise<void> {
  const { debian, rpm } = architecture;
  const emulator = debian === here ? undefined : Bun.which(emulators[debian]);
  if (emulator === null) return console.log(`${debian} not tried: there is no ${emulators[debian]}`);
  const files: PackageFiles = {
    deb: join(out, `torus_${version}-${revision}_${debian}.deb`),
    rpm: join(out, `torus-${version}-${revision}.${rpm}.rpm`),
  };
  await prove(
    `lintian ${debian}`,
    async () => (await must("lintian", "--fail-on", "error", files.deb)) && "no errors",
  );
  await prove(`image ${debian}`, () => proveImage(architecture, emulator));
  if (emulator) return proveForeign(architecture, emulator, files);
  const run = (entering: Entering) => proveServer(entering, { program: paths.binary, dataDir: paths.state });
  await prove(`.deb ${debian}`, () => proveDeb(files.deb, { root: join(folder, "debian"), run }));
  await prove(`add-on ${debian}`, () => proveAddOn(imageOf(debian), join(folder, "add-on")));
  await prove(`Ansible ${debian}`, () => proveAnsible(files.deb, join(folder, "ansible")));
  await prove(`.rpm ${debian}`, () => proveRpm(files.rpm, { root: join(folder, "rpm"), run }));
}

const missing = TOOLS.filter((tool) => !Bun.which(tool));
if (missing.length > 0 || process.getuid?.() !== 0) {
  console.log(`not tried: needs root${missing.map((tool) => `, ${tool}`).join("")}`);
  process.exit(0);
}
try {
  mkdirSync(out);
  await prove("build", async () => {
    await build(root, out);
    return readdirSync(out).join(", ");
  });
  const architectures: readonly Architecture[] = manifest.architectures;
  if (failures === 0)
    for (const architecture of architectures)
      if (!values.arch || values.arch === architecture.debian) await proveArchitecture(architecture);
  await prove("Dockerfile", () => proveDockerfile(root, join(folder, "dockerfile")));
  if (failures === 0 && !values["skip-equal"]) await prove("two builds", proveEqual);
  if (failures === 0 && existsSync(out)) cpSync(out, join(root, "dist/release"), { recursive: true });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(failures === 0 ? "each artefact runs as it is installed" : `${failures} failed`);
process.exit(failures === 0 ? 0 : 1);
