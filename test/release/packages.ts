// Life of an installed package in a clean Debian: install, run, upgrade, remove, purge.
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { manifest } from "../../.ci/release/manifest.ts";
import { type Entering, expectThat, makeDebian, must } from "./roots.ts";
import { recordServices } from "./services.ts";

const { paths, user, name, image } = manifest;

export interface Life {
  /** Folder of the root, made here. */
  readonly root: string;
  /** Starts the server of the root and holds it to the contract. */
  readonly run: (entering: Entering) => Promise<string>;
}

/** Installs, runs, upgrades, removes and purges a .deb. @throws Error naming the step that went wrong */
export async function proveDeb(deb: string, { root, run }: Life): Promise<string> {
  await makeDebian(root, image.suite);
  const invoked = recordServices(root);
  const dpkg = (...words: readonly string[]) => must("dpkg", "--root", root, "--force-not-root", ...words);
  await dpkg("--install", deb);
  expectThat(invoked() === `start ${name}.service\n`, "the installation starts the service");
  expectThat(ownerOf(root) === readUid(root), "the state is of the user");
  const found = await run({ root, user: `${user.name}:${user.name}` });
  const settings = join(root, paths.settings);
  writeFileSync(settings, "server: {workers: 1}\n");
  const kept = () =>
    existsSync(join(root, paths.state, "torus.db")) && readFileSync(settings, "utf8").includes("workers: 1");
  expectThat(kept(), "the server writes its state");
  await dpkg("--install", deb);
  expectThat(
    invoked().endsWith(`restart ${name}.service\n`) && kept(),
    "an upgrade keeps the state and restarts",
  );
  await dpkg("--remove", name);
  expectThat(
    invoked().endsWith(`stop ${name}.service\n`) && kept(),
    "a removal stops the service and keeps the state",
  );
  expectThat(!existsSync(join(root, paths.binary)), "a removal deletes the program");
  await dpkg("--purge", name);
  expectThat(
    !existsSync(join(root, paths.state)) && !existsSync(join(root, paths.config)),
    "a purge deletes all",
  );
  return `${found}; upgrade, removal, purge`;
}

/** Installs, runs and removes an .rpm, whose dependencies have other names here. */
export async function proveRpm(rpm: string, { root, run }: Life): Promise<string> {
  await makeDebian(root, image.suite);
  const install = (...words: readonly string[]) => must("rpm", "--root", root, "--nodeps", ...words);
  await install("--install", rpm);
  expectThat(ownerOf(root) === readUid(root), "the state is of the user");
  const found = await run({ root, user: `${user.name}:${user.name}` });
  await install("--erase", name);
  expectThat(!existsSync(join(root, paths.binary)), "a removal deletes the program");
  expectThat(existsSync(join(root, paths.state, "torus.db")), "a removal keeps the state");
  return `${found}; removal`;
}

const ownerOf = (root: string) => statSync(join(root, paths.state)).uid;

function readUid(root: string): number {
  const line = readFileSync(join(root, "etc/passwd"), "utf8").match(
    new RegExp(`^${user.name}:x:(\\d+):`, "m"),
  );
  return Number(line?.[1]);
}
