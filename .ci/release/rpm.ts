// RPM package: a spec file for rpmbuild that copies the files as they are.
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Architecture, manifest } from "./manifest.ts";
import { rpmScripts } from "./scripts.ts";
import { runTool } from "./tools.ts";
import { type Entry, type PackageInput, stage } from "./tree.ts";

const { name, version, revision, paths } = manifest;

/** Equal input gives equal packages: no name of this machine, no time of the build. */
const defines = [
  "_build_id_links none",
  "__os_install_post %{nil}",
  "_buildhost localhost",
  "use_source_date_epoch_as_buildtime 1",
  "clamp_mtime_to_source_date_epoch 1",
  // A fixed number of threads: the blocks of the payload depend on it.
  "_binary_payload w6T2.xzdio",
];

/** Builds the package in a folder. @returns its path */
export async function buildRpm(
  { rpm }: Architecture,
  { files, releasedAt, work, out }: PackageInput,
): Promise<string> {
  const { zsh, zshOfRpm } = manifest.completions;
  const placed = files.map((entry) => (entry.path === zsh ? { ...entry, path: zshOfRpm } : entry));
  const tree = join(work, "tree");
  stage(placed, tree);
  const spec = join(work, `${name}.spec`);
  writeFileSync(spec, renderSpec(placed, tree));
  const options = [...defines, `_topdir ${work}`, `_rpmdir ${work}/rpms`].flatMap((define) => [
    "--define",
    define,
  ]);
  await runTool(["rpmbuild", "-bb", "--quiet", "--target", rpm, ...options, spec], { releasedAt });
  const file = `${name}-${version}-${revision}.${rpm}.rpm`;
  copyFileSync(join(work, "rpms", rpm, file), join(out, file));
  return join(out, file);
}

function renderSpec(files: readonly Entry[], tree: string): string {
  const sections = Object.entries(rpmScripts).map(([section, text]) => `%${section}\n${text}\n`);
  return `Name: ${name}
Version: ${version}
Release: ${revision}
Summary: ${manifest.summary}
License: ${manifest.license}
AutoReqProv: no
Requires: glibc >= ${manifest.glibc}
Requires(pre): shadow-utils

%description
${manifest.description.join("\n")}

%install
mkdir -p %{buildroot}
cp -a ${tree}/. %{buildroot}/

${sections.join("\n")}
%files
%defattr(-,root,root,-)
${files.map(renderFile).join("\n")}
`;
}

function renderFile({ path, content }: Entry): string {
  if (path === paths.settings) return `%config(noreplace) ${path}`;
  if (path === paths.state) return `%dir %attr(0700, ${manifest.user.name}, ${manifest.user.name}) ${path}`;
  if (path.startsWith(paths.doc)) return `%doc ${path}`;
  return content === "folder" ? `%dir ${path}` : path;
}
