// The add-on of deploy/home-assistant: its image as its Dockerfile makes it, with /data as Home Assistant makes it.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { manifest } from "../../.ci/release/manifest.ts";
import { lastOf, readDockerfile, variablesOf } from "../support/dockerfile.ts";
import { enter, expectThat, unpackImage } from "./roots.ts";
import { proveToken, TOKEN } from "./token.ts";

const { image, version } = manifest;
const sources = resolve(import.meta.dir, "../../deploy/home-assistant/torus");

/** @param archive image of the release @param folder empty @throws Error naming what is not so */
export async function proveAddOn(archive: string, folder: string): Promise<string> {
  const root = await unpackImage(archive, { folder, tag: version });
  const dockerfile = readDockerfile(readFileSync(join(sources, "Dockerfile"), "utf8"));
  const known = ["FROM", "USER", "ENV", "CMD"];
  expectThat(
    dockerfile.every(({ word }) => known.includes(word)),
    "the add-on adds no file to the image",
  );
  const data = join(root, image.state);
  rmSync(data, { recursive: true });
  mkdirSync(data);
  writeFileSync(join(data, "options.json"), JSON.stringify(fillOptions()), { mode: 0o600 });
  const [action, ...args] = JSON.parse(lastOf(dockerfile, "CMD")!) as string[];
  const env = variablesOf(dockerfile);
  expectThat(action === "serve" && lastOf(dockerfile, "USER") === "root", "root starts the server");
  await proveToken({
    prefix: enter({ root, user: "0:0", isReadOnly: true }),
    program: image.path,
    dataDir: env.TORUS_STORAGE_PATH!,
    args,
    env,
  });
  expectThat(existsSync(join(data, "torus/torus.db")), "the state is in the volume of the add-on");
  return "serves with its options";
}

/** Default options, with the token that Home Assistant asks for. */
function fillOptions(): unknown {
  const { options } = parse(readFileSync(join(sources, "config.yaml"), "utf8"));
  return JSON.parse(JSON.stringify(options), (name, value) => (name === "token" ? TOKEN : value));
}
