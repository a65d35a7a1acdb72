// Life of an installed package in a clean Debian: install, run, upgrade, remove, purge.
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { manifest } from "../../.ci/release/manifest.ts";
import { createClient } from "../../src/cli/client/client.ts";
import { readPushed, startPushers } from "../support/pushers.ts";
import { startServer } from "../support/server-process.ts";
import { type Entering, enter, expectThat, makeDebian, must } from "./roots.ts";
import { recordServices } from "./services.ts";

const { paths, user, name, image } = manifest;
/** Points before the upgrade, and after it. */
const PUSHES = 200;

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
  const pushed = await proveUpgrade(root, async () => {
    await dpkg("--install", await makeNextDeb(deb, `${root}.next`));
    expectThat(invoked().endsWith(`restart ${name}.service\n`), "an upgrade restarts");
  });
  expectThat(kept(), "an upgrade keeps the state");
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
  return `${found}; upgrade with ${pushed} points of clients, removal, purge`;
}

/** The package as that of the next revision, not compressed. @param folder made here @returns its path */
async function makeNextDeb(deb: string, folder: string): Promise<string> {
  await must("dpkg-deb", "--raw-extract", deb, folder);
  const control = join(folder, "DEBIAN/control");
  writeFileSync(control, readFileSync(control, "utf8").replace(/^Version: .*$/m, "$&.1"));
  const path = `${folder}.deb`;
  await must("dpkg-deb", "--root-owner-group", "-Znone", "--build", folder, path);
  return path;
}

/**
 * Upgrades while clients push, and starts the new program in place of the old one, as the service manager would.
 * @returns how many points the clients sent
 */
async function proveUpgrade(root: string, upgrade: () => Promise<void>): Promise<number> {
  const prefix = enter({ root, user: `${user.name}:${user.name}` });
  const start = () => startServer({ prefix, program: paths.binary, dataDir: paths.state });
  let server = await start();
  try {
    const client = createClient({ baseUrl: server.url, sleep: (ms) => Bun.sleep(ms) });
    await client.putBucket({ name: "pushed", type: "local" });
    const pushers = startPushers("pushed", () => server.url);
    const pushMore = async () => {
      const until = pushers.count + PUSHES;
      while (pushers.count < until) await Bun.sleep(1);
    };
    await pushMore();
    await upgrade();
    expectThat((await server.stop()) === 0, "the old program stops by itself");
    server = await start();
    await pushMore();
    await pushers.stop();
    const found = await readPushed(server.url, "pushed", pushers.count);
    const isEach = found.length === pushers.count && found.every((at, i) => at === i);
    expectThat(isEach, "each point of the clients is there once");
    return found.length;
  } finally {
    await server.kill();
  }
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
