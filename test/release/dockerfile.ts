// The build of deploy/Dockerfile without a daemon: what its first stage copies and runs, in a folder of its own.
import { cpSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { manifest } from "../../.ci/release/manifest.ts";
import { type Instruction, readDockerfile } from "../support/dockerfile.ts";
import { expectThat, must } from "./roots.ts";

/** Where the stage leaves the program. */
const PROGRAM = "/torus";

/** @param sources repository, whose last commit is built @param folder made here @throws Error naming what is not so */
export async function proveDockerfile(sources: string, folder: string): Promise<string> {
  const context = join(folder, "context");
  await must("git", "clone", "--quiet", sources, context);
  const read = (name: string) => readFileSync(join(context, "deploy", name), "utf8");
  for (const ignored of read("Dockerfile.dockerignore").trim().split("\n"))
    rmSync(join(context, ignored), { recursive: true, force: true });
  const stages = readDockerfile(read("Dockerfile"));
  const end = stages.findLastIndex(({ word }) => word === "FROM");
  const work = join(folder, "work");
  mkdirSync(work);
  for (const instruction of stages.slice(1, end)) await follow(instruction, { context, work, folder });
  const program = join(folder, PROGRAM);
  const { version } = JSON.parse(await must(program, "version", "--json")) as { version: string };
  expectThat(version === manifest.version, "the program is of this version");
  expectThat((await must(program, "licenses")).includes("JavaScriptCore"), "it holds the notices");
  return `builds torus ${version}`;
}

interface Places {
  readonly context: string;
  readonly work: string;
  /** Stands for the root of the stage. */
  readonly folder: string;
}

async function follow({ word, value }: Instruction, { context, work, folder }: Places): Promise<void> {
  if (word === "WORKDIR") return;
  if (word === "RUN") {
    const command = value.replaceAll(` ${PROGRAM}`, ` ${join(folder, PROGRAM)}`);
    await must("sh", "-c", `cd ${work} && ${command}`);
    return;
  }
  expectThat(word === "COPY" && value.endsWith(" ./") !== value.endsWith(" ."), `${word} is known`);
  for (const name of value.split(" ").slice(0, -1))
    cpSync(join(context, name), join(work, name), { recursive: true });
}
