// The role of deploy/ansible: its files fit together, Ansible reads it, and it refuses what it cannot install.
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { readSettings } from "../../src/settings/load.ts";
import { temporaryFolder } from "../support/folder.ts";

const folder = resolve(import.meta.dir, "../../deploy/ansible");
const role = join(folder, "roles/torus");
const read = (path: string) => parse(readFileSync(join(folder, path), "utf8"));
const ansible = Bun.which("ansible-playbook");
if (!ansible) console.warn("the role is not tried: ansible-playbook is not installed");

interface Task {
  readonly name: string;
  readonly notify?: string;
  readonly [word: string]: unknown;
}

const tasksOf = (path: string) => read(`roles/torus/${path}`) as readonly Task[];
const tasks = readdirSync(join(role, "tasks")).flatMap((name) => tasksOf(`tasks/${name}`));
const handlers = tasksOf("handlers/main.yml");
const [play] = read("site.yml") as [{ roles: [{ role: string; vars: Record<string, unknown> }] }];

/** Runs the example on this machine, with further variables. @returns exit code and all it wrote */
async function run(...words: readonly string[]): Promise<{ exitCode: number; output: string }> {
  const command = [ansible!, "-c", "local", "-i", "localhost,", "site.yml", ...words];
  const child = Bun.spawn(command, {
    cwd: folder,
    env: { ...process.env, ANSIBLE_LOCAL_TEMP: temporaryFolder(), ANSIBLE_NOCOLOR: "1" },
    stdout: "pipe",
    stderr: "pipe",
  });
  const texts = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { exitCode: await child.exited, output: texts.join("") };
}

test("variables that are not given have the values that their description names", () => {
  const { options } = read("roles/torus/meta/argument_specs.yml").argument_specs.main as {
    options: Record<string, { required?: boolean; default?: unknown }>;
  };
  const optional = Object.entries(options).filter(([, { required }]) => !required);
  expect(read("roles/torus/defaults/main.yml")).toEqual(
    Object.fromEntries(optional.map(([name, { default: value }]) => [name, value])),
  );
  for (const name of Object.keys(play.roles[0].vars)) expect(Object.keys(options)).toContain(name);
});

test("tasks use the modules of Ansible itself, handlers and files that exist", () => {
  const modules = [...tasks, ...handlers].map((task) => Object.keys(task).find((word) => word.includes(".")));
  for (const module of modules) expect(module).toStartWith("ansible.builtin.");
  const notified = tasks.flatMap(({ notify }) => notify ?? []);
  expect(new Set(notified)).toEqual(new Set(handlers.map(({ name }) => name)));
  for (const task of tasks) {
    const source = (task["ansible.builtin.template"] ?? task["ansible.builtin.copy"]) as
      | { src: string }
      | undefined;
    if (!source || source.src.includes("{{")) continue;
    const kind = "ansible.builtin.template" in task ? "templates" : "files";
    expect([source.src, existsSync(join(role, kind, source.src))]).toEqual([source.src, true]);
  }
});

test("the server accepts the settings of the example", () => {
  const { torus_settings: settings } = play.roles[0].vars;
  const file = join(temporaryFolder(), "torus.yml");
  writeFileSync(file, JSON.stringify(settings));
  const { action } = readSettings({
    argv: ["--config", file, "--check-config"],
    env: { HOME: "/nonexistent", OPS_TOKEN: "0123456789abcdef".repeat(4) },
    readFile: (path) => readFileSync(path, "utf8"),
  });
  expect(action).toBe("check");
});

test.skipIf(!ansible)("Ansible reads the role", async () => {
  expect(await run("--syntax-check")).toMatchObject({ exitCode: 0 });
});

test.skipIf(!ansible).each([
  ["nothing", {}, "missing required arguments: torus_source"],
  ["a URL without a checksum", { torus_source: "https://torus.example.org/torus.deb" }, "ALGORITHM:DIGEST"],
  [
    "a secret that ends its quotes",
    { torus_source: "torus.deb", torus_environment: { PASSWORD: "sec'ret" } },
    "without a single quote",
  ],
])(
  "%s is refused before anything is changed",
  async (_, variables, reason) => {
    const { exitCode, output } = await run("--extra-vars", JSON.stringify(variables));
    expect([exitCode, output]).toEqual([2, expect.stringContaining(reason)]);
    expect(output).toMatch(/ changed=0 /);
    expect(output).not.toContain("sec'ret");
  },
  30_000,
);
