// Completion scripts: accepted by every shell, consistent with the table of commands.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commands } from "../../../src/cli/commands/index.ts";
import { findOffers } from "../../../src/cli/completion/offers.ts";
import { scripts } from "../../../src/cli/completion/scripts.ts";
import { temporaryFolder } from "../../support/folder.ts";

const shells = Object.keys(scripts) as (keyof typeof scripts)[];
let dir: string;
let path: string;
beforeAll(() => {
  dir = temporaryFolder();
  mkdirSync(join(dir, "empty"));
  for (const shell of shells) writeFileSync(join(dir, shell), scripts[shell]);
  const main = join(import.meta.dir, "../../../src/main.ts");
  mkdirSync(join(dir, "bin"));
  writeFileSync(join(dir, "bin/torus"), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`);
  chmodSync(join(dir, "bin/torus"), 0o755);
  path = `${join(dir, "bin")}:${process.env.PATH}`;
});

const missing = shells.filter((shell) => !Bun.which(shell));
if (missing.length > 0) console.warn(`completion not tried in ${missing.join(" and ")}: not installed`);

describe.each([...shells])("%s", (shell) => {
  test.skipIf(missing.includes(shell))("takes the script", () => {
    const flags = shell === "fish" ? ["--no-execute"] : ["-n"];
    const { exitCode, stderr } = Bun.spawnSync([shell, ...flags, join(dir, shell)]);
    expect(stderr.toString()).toBe("");
    expect(exitCode).toBe(0);
  });
});

test("every command and every option is offered, but for hidden commands", () => {
  const offered = (before: readonly string[], current: string) => {
    const found = findOffers(before, current, commands);
    return "kind" in found ? [] : found.map(({ word }) => word);
  };
  for (const { name, options, isHidden, aliases = [] } of commands) {
    for (const words of [name, ...aliases].map((each) => each.split(" "))) {
      for (const [i, word] of words.entries())
        expect(offered(words.slice(0, i), "").includes(word)).toBe(!isHidden);
      if (isHidden) continue;
      expect(offered(words, "-")).toEqual(
        expect.arrayContaining(["--help", ...Object.keys(options).map((option) => `--${option}`)]),
      );
    }
  }
});

describe.skipIf(missing.includes("fish"))("in fish", () => {
  const cases: [string, string[]][] = [
    ["torus trai", ["train-model"]],
    ["torus train-model --max", ["--max-evals"]],
    ["torus -A host list-sch", ["list-scheduled-jobs"]],
    ["torus token ", ["create", "list", "revoke"]],
    ["torus token create --scope ", ["admin", "read", "run"]],
    ["torus completion f", ["fish"]],
    ["torus help train", ["train-model"]],
    ["torus --tok", ["--token", "--token-file"]],
  ];
  test.each(cases)("%j completes to %j", (line, offered) => {
    const script = `source ${join(dir, "fish")}; complete -C '${line}'`;
    // In an empty folder: files are offered too.
    const { stdout, stderr } = Bun.spawnSync(["fish", "--no-config", "-c", script], {
      cwd: join(dir, "empty"),
      env: { ...process.env, HOME: dir, PATH: path },
    });
    expect(stderr.toString()).toBe("");
    const words = stdout.toString().split("\n").filter(Boolean);
    expect(words.map((word) => word.split("\t")[0]!).sort()).toEqual(offered);
  });
});

describe.skipIf(missing.includes("bash"))("in bash", () => {
  const cases: [string, string[]][] = [
    ["trai", ["train-model"]],
    ["train-model --max", ["--max-evals"]],
    ["-A host list-sch", ["list-scheduled-jobs"]],
    ["token ", ["create", "list", "revoke"]],
    ["token create --sc", ["--scope"]],
    ["completion f", ["fish"]],
    ["predict-model --ano", ["--anomalies"]],
    ["show-model x", []],
    ["create-bucket ", []],
    ["token create --scope ", ["read", "run", "admin"]],
    ["-A host token create --scope r", ["read", "run"]],
    ["help train", ["train-model"]],
    ["train-model m --input ", []],
    ["--tok", ["--token-file", "--token"]],
  ];
  test.each(cases)("%j completes to %j", (line, offered) => {
    const words = line.split(" ");
    const list = ["torus", ...words].map((word) => `'${word}'`).join(" ");
    const script = `source ${join(dir, "bash")}; COMP_WORDS=(${list}); COMP_CWORD=${words.length}; _torus; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = Bun.spawnSync(["bash", "-c", script], { env: { ...process.env, PATH: path } });
    expect(stdout.toString().split("\n").filter(Boolean)).toEqual(offered);
  });
});

/** As much of a server as completion asks for. */
function startNames() {
  const named = (...names: string[]) => names.map((name) => ({ name }));
  const answers: Readonly<Record<string, unknown>> = {
    "/models": ["trips", "trains", "web"].map((name) => ({ settings: { name } })),
    "/buckets": named("metrics", "more"),
    "/models/trips/hooks": ["ops", "oncall"],
    "/models/trips/series": ["web-1", "web-2", "db-1"].map((host) => ({ tags: { host } })),
    "/templates": named("host_load"),
    "/scheduled_jobs": named("retrain nightly", "retrain weekly"),
    "/jobs": [{ id: "3f1d6a52" }, { id: "77aa0000" }],
  };
  return Bun.serve({
    port: 0,
    fetch: ({ url }) => Response.json(answers[new URL(url).pathname] ?? { error: "none" }),
  });
}

describe.skipIf(missing.includes("bash"))("names on the server, in bash", () => {
  let server: ReturnType<typeof startNames>;
  beforeAll(() => {
    server = startNames();
  });
  afterAll(() => server.stop(true));

  async function complete(words: readonly string[], address: string): Promise<string[]> {
    const list = ["torus", ...words].map((word) => `'${word}'`).join(" ");
    const script = `source ${join(dir, "bash")}; COMP_WORDS=(${list}); COMP_CWORD=${words.length}; _torus; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const child = Bun.spawn(["bash", "-c", script], {
      env: {
        ...process.env,
        HOME: dir,
        PATH: path,
        TORUS_ADDR: address,
      },
      stdout: "pipe",
      stderr: "pipe",
    });
    const texts = [new Response(child.stdout).text(), new Response(child.stderr).text()] as const;
    const [out, err] = await Promise.all(texts);
    expect(err).toBe("");
    return out.split("\n").filter(Boolean);
  }

  const cases: [string[], string[]][] = [
    [
      ["show-model", "tr"],
      ["trips", "trains"],
    ],
    [["delete-model", "web", "tri"], ["trips"]],
    [["train-model", "--from", "now-7d", "w"], ["web"]],
    [
      ["train-model", "web", "--input", "m"],
      ["metrics", "more"],
    ],
    [["read-bucket", "met"], ["metrics"]],
    [
      ["show-hook", "trips", "o"],
      ["ops", "oncall"],
    ],
    [["show-hook", "none", "o"], []],
    [["show-template", ""], ["host_load"]],
    [["show-scheduled-job", "retrain n"], ["retrain\\ nightly"]],
    [["cancel-job", "3"], ["3f1d6a52"]],
    [
      ["show-series", "trips", "host:w"],
      ["host:web-1", "host:web-2"],
    ],
    [["plot", "trips", "--from", "now-1d", "--series", "host:d"], ["host:db-1"]],
    [["plot", "none", "--series", ""], []],
    [["create-model", ""], []],
    [["show-model", "--js"], ["--json"]],
  ];
  test.each(cases)("%j completes to %j", async (words, offered) => {
    expect(await complete(words, server.url.href)).toEqual(offered);
  });

  test("an address on the command line is asked", async () => {
    expect(await complete(["-A", server.url.href, "show-model", "w"], "http://127.0.0.1:1")).toEqual(["web"]);
  });

  test("without a server nothing is offered, and nothing is said", async () => {
    expect(await complete(["show-model", ""], "http://127.0.0.1:1")).toEqual([]);
  });

  test("a server that does not answer is left alone after a second", async () => {
    const silent = Bun.serve({ port: 0, fetch: () => new Promise<Response>(() => {}) });
    const startedAt = performance.now();
    expect(await complete(["show-model", ""], silent.url.href)).toEqual([]);
    expect(performance.now() - startedAt).toBeLessThan(4000);
    await silent.stop(true);
  });
});
