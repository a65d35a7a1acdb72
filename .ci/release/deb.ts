// Debian package: the files and the control archive, put together by dpkg-deb.
import { join } from "node:path";
import { type Architecture, manifest } from "./manifest.ts";
import { debScripts } from "./scripts.ts";
import { runTool } from "./tools.ts";
import { bytesOf, type Entry, file, gzipped, type PackageInput, stage } from "./tree.ts";

const { name, version, revision, maintainer, paths } = manifest;
const fullVersion = `${version}-${revision}`;

/** Tags of lintian that do not apply, each with its reason. */
export const overrides: Readonly<Record<string, string>> = {
  "copyright-file-contains-full-apache-2-license": "the program prints the same notices, on any system",
  "embedded-library": "the runtime links its libraries statically",
  "hardening-no-pie": "the runtime is linked by its makers",
  "hardening-no-relro": "the runtime is linked by its makers",
  "initial-upload-closes-no-bugs": "no bug of Debian asks for the package",
  "unstripped-binary-or-object": "stripping would cut off the scripts at the end of the program",
};

/** Builds the package in a folder. @returns its path */
export async function buildDeb(
  architecture: Architecture,
  { files, releasedAt, work, out }: PackageInput,
): Promise<string> {
  const entries = [...files, ...listDebianFiles(releasedAt)];
  const folder = join(work, "deb");
  stage([...entries, ...listControl(architecture, entries)], folder);
  const path = join(out, `${name}_${fullVersion}_${architecture.debian}.deb`);
  // Level 9 is 2% smaller and takes three times as long.
  await runTool(["dpkg-deb", "--root-owner-group", "-Zxz", "-z6", "--build", folder, path], { releasedAt });
  return path;
}

const md5 = (bytes: Uint8Array) => new Bun.CryptoHasher("md5").update(bytes).digest("hex");

/** Files that only Debian's packages have. */
function listDebianFiles(releasedAt: number): Entry[] {
  const reasons = Object.entries(overrides).map(([tag, reason]) => `# ${reason}\n${name}: ${tag}\n`);
  return [
    gzipped(`${paths.doc}/changelog.Debian.gz`, renderChangelog(releasedAt)),
    file(`/usr/share/lintian/overrides/${name}`, reasons.join("")),
  ];
}

/** Changes of the packaging (Debian Policy 4.4); those of the program are in changelog.gz. */
function renderChangelog(releasedAt: number): string {
  const date = new Date(releasedAt * 1000).toUTCString().replace("GMT", "+0000");
  return `${name} (${fullVersion}) stable; urgency=medium

  * Release ${version}; its changes are in changelog.gz.

 -- ${maintainer}  ${date}
`;
}

function listControl({ debian }: Architecture, entries: readonly Entry[]): Entry[] {
  const contents = entries.map((entry) => [entry.path, bytesOf(entry)] as const);
  const sums = contents.flatMap(([path, bytes]) => (bytes ? [`${md5(bytes)}  ${path.slice(1)}\n`] : []));
  const kilobytes = contents.reduce((sum, [, bytes]) => sum + Math.ceil((bytes?.length ?? 0) / 1024), 0);
  const control = `Package: ${name}
Version: ${fullVersion}
Architecture: ${debian}
Maintainer: ${maintainer}
Installed-Size: ${kilobytes}
Depends: adduser, libc6 (>= ${manifest.glibc})
Section: net
Priority: optional
Description: ${manifest.summary[0]!.toLowerCase()}${manifest.summary.slice(1)}
${manifest.description.map((line) => ` ${line}\n`).join("")}`;
  return [
    file("/DEBIAN/control", control),
    file("/DEBIAN/conffiles", `${paths.settings}\n`),
    file("/DEBIAN/md5sums", sums.join("")),
    ...Object.entries(debScripts).map(([script, text]) => file(`/DEBIAN/${script}`, text, 0o755)),
  ];
}
