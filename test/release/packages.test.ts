// Packages and image of a small program: content, owners, scripts, equal results of equal input.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { buildDeb } from "../../.ci/release/deb.ts";
import { writeDeploy } from "../../.ci/release/deploy.ts";
import { writeDocs } from "../../.ci/release/docs.ts";
import { buildImage, writeDockerArchive, writeLayout } from "../../.ci/release/image.ts";
import { manifest } from "../../.ci/release/manifest.ts";
import { buildRpm } from "../../.ci/release/rpm.ts";
import { debScripts, rpmScripts } from "../../.ci/release/scripts.ts";
import { file } from "../../.ci/release/tree.ts";
import { temporaryFolder } from "../support/folder.ts";
import { amd64, has, makeInput, RELEASED_AT, run } from "./sample.ts";

const { paths, user } = manifest;

describe.skipIf(!has("dpkg-deb"))("the .deb", () => {
  test("holds the files, root's alone, of the time of the release", async () => {
    const path = await buildDeb(amd64, await makeInput());
    expect(basename(path)).toBe(`torus_${manifest.version}-1_amd64.deb`);
    const { output } = await run("dpkg-deb", "--contents", path);
    for (const name of [paths.binary, paths.settings, paths.unit, paths.man, `${paths.doc}/copyright`])
      expect(output).toContain(` .${name}\n`);
    expect(output).toMatch(/^-rwxr-xr-x root\/root +\d+ 2026-01-31 \S+ \.\/usr\/bin\/torus$/m);
    for (const line of output.trim().split("\n")) expect(line).toContain(" root/root ");
    const { output: control } = await run("dpkg-deb", "--info", path, "control", "conffiles");
    expect(control).toContain("Architecture: amd64");
    expect(control).toContain(paths.settings);
  });

  test("is the same from another folder", async () => {
    const [first, second] = [
      await buildDeb(amd64, await makeInput()),
      await buildDeb(amd64, await makeInput()),
    ];
    expect(readFileSync(first).equals(readFileSync(second))).toBe(true);
  });
});

describe.skipIf(!has("rpmbuild"))("the .rpm", () => {
  test("holds the files; settings are kept, the state is of its user", async () => {
    const path = await buildRpm(amd64, await makeInput());
    const { output } = await run(
      "rpm",
      "-qp",
      "--qf",
      "[%{filenames} %{filemodes:perms} %{fileusername}\n]",
      path,
    );
    expect(output).toContain(`${paths.binary} -rwxr-xr-x root`);
    expect(output).toContain(`${paths.state} drwx------ ${user.name}`);
    expect(output).toContain(`${manifest.completions.zshOfRpm} `);
    expect((await run("rpm", "-qpc", path)).output).toBe(`${paths.settings}\n`);
  });

  test("is the same from another folder", async () => {
    const [first, second] = [
      await buildRpm(amd64, await makeInput()),
      await buildRpm(amd64, await makeInput()),
    ];
    expect(readFileSync(first).equals(readFileSync(second))).toBe(true);
  });
});

test.each([
  ...Object.entries(debScripts),
  ...Object.entries(rpmScripts).map(([section, text]) => [`%${section}`, text] as const),
])("the shell reads %s", async (_name, text) => {
  expect(await run("sh", "-n", "-c", text)).toEqual({ exitCode: 0, output: "" });
});

describe("the image", () => {
  const libc = [file("/lib64/ld-linux-x86-64.so.2", "loader", 0o755)];
  const build = async () => {
    const { files, out } = await makeInput();
    return { image: buildImage(amd64, { files, libc, releasedAt: RELEASED_AT }), out };
  };

  test("is the same each time", async () => {
    const [{ image: first }, { image: second }] = [await build(), await build()];
    expect(second.manifest.digest).toBe(first.manifest.digest);
  });

  test("runs as a user without rights, checks its health, and declares what the Dockerfile does", async () => {
    const { image } = await build();
    const { config } = JSON.parse(Buffer.from(image.config.bytes).toString());
    const dockerfile = readFileSync(join(import.meta.dir, "../../deploy/Dockerfile"), "utf8");
    expect(config.User).toBe(`${user.uid}:${user.uid}`);
    expect(dockerfile).toContain(`--uid ${user.uid} `);
    expect(dockerfile).toContain(`VOLUME ${Object.keys(config.Volumes)[0]}\n`);
    expect(dockerfile).toContain(`ENV ${config.Env[1]}\n`);
    expect(dockerfile).toContain(`ENTRYPOINT ${JSON.stringify(config.Entrypoint)}\n`);
    const listed = (words: string[]) => words.map((word) => JSON.stringify(word)).join(", ");
    expect(dockerfile).toContain(`CMD [${listed(config.Cmd)}]\n`);
    expect(config.Healthcheck.Test).toEqual(["CMD", "torus", "health"]);
    expect(dockerfile).toContain('--timeout=5s --start-period=10s CMD ["torus", "health"]\n');
  });

  test("the archive names blobs by their content, and the layers hold state, users and binary", async () => {
    const { image, out } = await build();
    const folder = temporaryFolder();
    await run("tar", "-xf", await writeDockerArchive(image, { out, releasedAt: RELEASED_AT }), "-C", folder);
    const [listed] = await Bun.file(join(folder, "manifest.json")).json();
    expect(listed.RepoTags).toEqual([`torus:${manifest.version}`]);
    for (const path of [listed.Config, ...listed.Layers]) {
      const bytes = readFileSync(join(folder, path));
      expect(path).toBe(`blobs/sha256/${new Bun.CryptoHasher("sha256").update(bytes).digest("hex")}`);
    }
    const layers = await Promise.all(
      listed.Layers.map((path: string) => run("tar", "-tvf", join(folder, path), "--numeric-owner")),
    );
    const lines = layers.map(({ output }) => output).join("");
    expect(lines).toMatch(new RegExp(`^drwx------ ${user.uid}/${user.uid} .* data/$`, "m"));
    expect(lines).toMatch(/^-rwxr-xr-x 0\/0 .* usr\/local\/bin\/torus$/m);
  });

  test.skipIf(!has("skopeo"))("other programs read the layout", async () => {
    const { image, out } = await build();
    const path = await writeLayout([image], { out, releasedAt: RELEASED_AT });
    const { exitCode, output } = await run("skopeo", "inspect", `oci-archive:${path}`);
    expect([exitCode, JSON.parse(output).Labels["org.opencontainers.image.version"]]).toEqual([
      0,
      manifest.version,
    ]);
  });
});

describe("the documentation", () => {
  test("is one folder, of the time of the release", async () => {
    const path = await writeDocs({ releasedAt: RELEASED_AT, out: temporaryFolder() });
    const folder = `torus-docs-${manifest.version}`;
    expect(basename(path)).toBe(`${folder}.tar.gz`);
    const { output } = await run("tar", "-tzvf", path, "--numeric-owner");
    for (const name of ["index.html", "llms.txt", "search-index.js", "pictures/model.png"])
      expect(output).toContain(` ${folder}/${name}\n`);
    for (const line of output.trim().split("\n")) expect(line).toMatch(/^\S+ 0\/0 +\d+ 2026-01-31 /);
  });

  test("is the same again", async () => {
    const [first, second] = await Promise.all(
      [1, 2].map(() => writeDocs({ releasedAt: RELEASED_AT, out: temporaryFolder() })),
    );
    expect(readFileSync(first!).equals(readFileSync(second!))).toBe(true);
  });
});

test("the folders for deployment are one archive, with the unit in place of the link to it", async () => {
  const [path, again] = [1, 2].map(() => writeDeploy({ releasedAt: RELEASED_AT, out: temporaryFolder() }));
  const folder = `torus-deploy-${manifest.version}`;
  expect(basename(path!)).toBe(`${folder}.tar.gz`);
  expect(readFileSync(again!).equals(readFileSync(path!))).toBe(true);
  const target = temporaryFolder();
  await run("tar", "-xzf", path!, "-C", target);
  const read = (name: string) => readFileSync(join(target, folder, name), "utf8");
  const unit = readFileSync(join(import.meta.dir, "../../deploy/torus.service"), "utf8");
  expect(read("ansible/roles/torus/files/torus.service")).toBe(unit);
  for (const name of [
    "kubernetes/overlays/three-nodes/kustomization.yml",
    "home-assistant/torus/config.yaml",
  ])
    expect(read(name)).not.toBe("");
});
