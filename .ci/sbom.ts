// Command `npm run sbom`: prints the bill of materials of package-lock.json as CycloneDX JSON.
import { join, resolve } from "node:path";
import { listBundled } from "../src/app/licenses/bundled.ts";
import type { Part } from "../src/app/licenses/part.ts";
import { runtimes } from "../src/app/licenses/runtimes.ts";

/** One package of a lock file (version 3). */
export interface LockedPackage {
  readonly name?: string;
  readonly version?: string;
  /** `sha512-<base64>` */
  readonly integrity?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface LockFile {
  readonly name: string;
  readonly version: string;
  readonly lockfileVersion: number;
  /** By the path they are installed at; the project itself at the empty one. */
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

const FOLDER = "node_modules/";
const root = resolve(import.meta.dir, "..");
/** Package of the runtime, which the compiled program starts with. */
const RUNTIME = `${FOLDER}bun`;

/** The lock file of this repository. */
export async function readLock(): Promise<LockFile> {
  return (await Bun.file(join(root, "package-lock.json")).json()) as LockFile;
}

/** Name of the package that is installed at a path. */
export function nameAt(path: string): string {
  return path.slice(path.lastIndexOf(FOLDER) + FOLDER.length);
}

/** Paths of the packages in the program: the runtime, and what the bundler reads. */
export async function listProgramPaths(): Promise<ReadonlySet<string>> {
  return new Set([RUNTIME, ...(await listBundled()).map(({ path }) => path)]);
}

/**
 * A bill of materials (CycloneDX 1.6); the same lock file gives the same text.
 * @param inProgram paths of the packages in the program: of scope `required`, the others of scope `excluded`
 */
export function makeSbom(lock: LockFile, inProgram: ReadonlySet<string>) {
  const installed = Object.entries(lock.packages).filter(([path]) => path !== "");
  const components = new Map(
    installed.map(([path, entry]) => [refOf(path, entry), toComponent(path, entry, inProgram.has(path))]),
  );
  const dependencies = Object.entries(lock.packages).map(([path, entry]) => ({
    ref: refOf(path, entry),
    dependsOn: findDependencies(lock, path),
  }));
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: { type: "application", "bom-ref": refOf("", lock), name: lock.name, version: lock.version },
    },
    components: [...components.values()],
    dependencies: [...new Map(dependencies.map((entry) => [entry.ref, entry])).values()],
  };
}

function refOf(path: string, { name, version = "" }: Pick<LockedPackage, "name" | "version">): string {
  const packageName = path === "" ? (name ?? "") : nameAt(path);
  return `pkg:npm/${packageName.replace("@", "%40")}@${version}`;
}

function toComponent(path: string, entry: LockedPackage, isInProgram: boolean) {
  const ref = refOf(path, entry);
  const { version, integrity = "", license } = entry;
  const [, content = ""] = integrity.split("sha512-");
  const parts = runtimes.find((runtime) => runtime.path === path)?.parts;
  return {
    type: "library",
    "bom-ref": ref,
    name: nameAt(path),
    version,
    scope: isInProgram ? "required" : "excluded",
    hashes: [{ alg: "SHA-512", content: Buffer.from(content, "base64").toString("hex") }],
    ...(license && { licenses: toLicenses(license) }),
    purl: ref,
    ...(parts && { components: parts.map((part) => toPartComponent(ref, part)) }),
  };
}

/** Parts have no version of their own: the runtime pins them. */
function toPartComponent(runtime: string, { name, license, url, copyright }: Part) {
  return {
    type: "library",
    "bom-ref": `${runtime}#${encodeURIComponent(name)}`,
    name,
    scope: "required",
    licenses: toLicenses(license),
    copyright: copyright.join("\n"),
    externalReferences: [{ type: "vcs", url }],
  };
}

const toLicenses = (license: string) => [
  /[ ()]/.test(license) ? { expression: license } : { license: { id: license } },
];

/** What is found for each name that a package asks for: beside it, or in a folder above. */
function findDependencies({ packages }: LockFile, path: string): string[] {
  const { dependencies, devDependencies, optionalDependencies } = packages[path] ?? {};
  const names = Object.keys({
    ...dependencies,
    ...optionalDependencies,
    ...(path === "" && devDependencies),
  });
  const found = names.flatMap((name) => {
    for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf(`/${FOLDER}`)))) {
      const place = folder === "" ? `${FOLDER}${name}` : `${folder}/${FOLDER}${name}`;
      const entry = packages[place];
      if (entry) return [refOf(place, entry)];
      if (folder === "") return [];
    }
  });
  return [...new Set(found)].sort();
}

if (import.meta.main)
  console.log(JSON.stringify(makeSbom(await readLock(), await listProgramPaths()), null, 2));
