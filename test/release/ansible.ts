// The role of deploy/ansible in a clean Debian: installs, changes nothing in a second run, restarts after a change.
import { copyFileSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { manifest } from "../../.ci/release/manifest.ts";
import { enter, expectThat, makeDebian, must } from "./roots.ts";
import { recordServices } from "./services.ts";
import { proveToken, TOKEN } from "./token.ts";

const { paths, user, image } = manifest;
const sources = resolve(import.meta.dir, "../../deploy/ansible");

/** @param root folder of the root, made here @throws Error naming what is not so */
export async function proveAnsible(deb: string, root: string): Promise<string> {
  await makeDebian(root, image.suite, ["ansible-core", "python3-apt"]);
  const invoked = recordServices(root);
  // With the unit that the role links to.
  await must("cp", "-rL", sources, join(root, "opt/ansible"));
  copyFileSync(deb, join(root, "opt", basename(deb)));
  const play = (source: string, ...words: readonly string[]) => playIn(root, `/opt/${source}`, words);
  await play(basename(deb));
  expectThat(invoked().startsWith("start torus"), "the role installs and starts");
  await proveSettings(root);
  const restarts = () => invoked().split("restart").length - 1;
  const before = restarts();
  expectThat((await play(basename(deb))) === 0 && restarts() === before, "a second run changes nothing");
  const changed = await play(basename(deb), "--extra-vars", '{"torus_settings": {"server": {"workers": 1}}}');
  expectThat(changed === 2 && restarts() === before + 1, "other settings restart the service, once");
  const refused = ["--extra-vars", '{"torus_settings": {"server": {"workers": "few"}}}'];
  const reason = await play(basename(deb), ...refused).catch((error: Error) => error.message);
  expectThat(
    String(reason).includes("server.workers: must be") && restarts() === before + 1,
    "settings that the server does not accept fail the run, without a restart",
  );
  copyFileSync(join(root, paths.binary), join(root, "opt/torus"));
  await play("torus");
  expectThat(statSync(join(root, "usr/local/bin/torus")).mode === 0o100755, "the program alone is installed");
  expectThat((await play("torus")) === 0, "a second run with the program changes nothing");
  return "6 runs, the second of each source without a change";
}

/** Runs the example. @returns the number of its changes @throws Error where it fails or shows a secret */
async function playIn(root: string, source: string, words: readonly string[]): Promise<number> {
  const env = ["env", "HOME=/root", "LC_ALL=C.UTF-8", `OPS_TOKEN=${TOKEN}`];
  const inventory = ["-c", "local", "-i", "localhost,", "--extra-vars", `torus_source=${source}`];
  const command = [...env, "ansible-playbook", "-v", "/opt/ansible/site.yml", ...inventory, ...words];
  const output = await must(...enter({ root, user: "0:0" }), ...command);
  expectThat(!output.includes(TOKEN), "the output has no secret");
  return Number(/ changed=(\d+) /.exec(output)?.[1]);
}

/** The server with the files that the role has written. */
async function proveSettings(root: string): Promise<void> {
  expectThat(
    statSync(join(root, paths.config, "environment")).mode === 0o100600,
    "secrets are for root alone",
  );
  await proveToken({
    prefix: enter({ root, user: `${user.name}:${user.name}` }),
    program: paths.binary,
    dataDir: paths.state,
    args: ["--config", paths.settings],
    env: { OPS_TOKEN: TOKEN },
  });
}
