// Dispatch of command lines: commands, help, usage errors.
import { afterEach, describe, expect, test } from "bun:test";
import type { Command } from "../../src/cli/command/command.ts";
import { globalOptions, helpOption } from "../../src/cli/command/options.ts";
import { commands } from "../../src/cli/commands/index.ts";
import { type Options, parseWords } from "../../src/core/formats/command-line.ts";
import { closeServers, serve } from "../net/fetch.support.ts";
import { run, runWords } from "./fake-terminal.ts";

const NOWHERE = { env: { TORUS_ADDR: "http://127.0.0.1:1" } };

describe("the command is found", () => {
  const cases: [string, number, RegExp, RegExp][] = [
    ["", 0, /^Usage: torus COMMAND/m, /^$/],
    ["serve", 0, /^serve $/m, /^$/],
    ["--listen localhost:0 --insecure", 0, /^serve --listen localhost:0 --insecure$/m, /^$/],
    ["serve --workers 2", 0, /^serve --workers 2$/m, /^$/],
    ["--workers 2 serve", 0, /^serve --workers 2$/m, /^$/],
    ["check-config --config a.yml", 0, /^serve --check-config --config a.yml$/m, /^$/],
    ["--version", 0, /^9\.9\.9$/m, /^$/],
    ["version", 0, /^9\.9\.9$/m, /^$/],
    ["--help", 0, /^ {2}train-model +Train/m, /^$/],
    ["-h", 0, /^Usage: torus COMMAND/m, /^$/],
    ["help", 0, /^Usage: torus COMMAND/m, /^$/],
    ["help train-model", 0, /--max-evals N/, /^$/],
    ["help list-models", 0, /--tz ZONE .*; also --timezone\)/, /^$/],
    ["help import-csv", 0, /--tz ZONE .*TORUS_TZ, or UTC\)/, /^$/],
    ["help token", 0, /token create[\s\S]+token revoke/, /^$/],
    ["help predict-model", 0, /^Usage: torus eval-model/m, /^$/],
    ["serve --help", 0, /--data-dir DIR/, /^$/],
    ["train-model --help --nonsense", 0, /-f, --from DATE/, /^$/],
    ["token create -h", 0, /read, run, admin/, /^$/],
    ["lst-models", 2, /^$/, /^torus: lst-models: is not a command; did you mean list-models\?$/m],
    ["make-coffee", 2, /^$/, /see torus help/],
    ["token", 2, /^$/, /token create, token list, token revoke/],
    ["token crate", 2, /^$/, /token create/],
    ["models", 2, /^$/, /^torus: models: is not a command; did you mean list-models\?$/m],
    ["list-tokens", 2, /^$/, /^torus: list-tokens: is not a command; did you mean token list\?$/m],
    ["create-token x", 2, /^$/, /did you mean token create\?/],
    ["help lst-models", 2, /^$/, /did you mean list-models\?/],
    ["--lisen x", 2, /^$/, /did you mean --listen\?/],
    ["--jsn list-models", 2, /^$/, /did you mean --json\?/],
    ["--json", 2, /^$/, /^torus: --json: is unknown/],
    ["--config a.yml list-models", 2, /^$/, /^torus: --config: is unknown/],
    ["train-model", 2, /^$/, /^torus: MODEL: is missing$/m],
    ["train-model m", 2, /^$/, /^torus: --from: is required: --from DATE$/m],
    ["list-models more", 2, /^$/, /one argument too many/],
    ["completion csh", 2, /^$/, /must be one of bash, zsh, fish/],
    ["list-models -A ftp://x", 2, /^$/, /--addr: must be an address/],
    ["create-model none.yml", 2, /^$/, /^torus: none.yml: does not exist$/m],
    ["create-model -t t /", 2, /^$/, /cannot be read \(EISDIR\)/],
    ["list-models", 5, /^$/, /^torus: http:\/\/127.0.0.1:1: connection refused: is the server running/m],
  ];
  test.each(cases)("torus %s: %p", async (line, code, out, err) => {
    const ended = await run(line, NOWHERE);
    expect(ended.err).toMatch(err);
    expect(ended.out).toMatch(out);
    expect(ended.code).toBe(code);
  });
});

test("an error is printed without control characters", async () => {
  const { err, code } = await runWords(["\x1b]0;title\x07\x1b[31mlist"]);
  expect(code).toBe(2);
  expect(err).toContain("list: is not a command");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: only line ends are allowed
  expect(err).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f]/);
});

describe("the connection", () => {
  afterEach(closeServers);

  test("of a command with several requests is opened once, and interrupts are caught once", async () => {
    const requests: string[] = [];
    const addr = serve(({ method }) => {
      requests.push(method);
      return Response.json(method === "GET" ? [{ settings: { name: "m" } }] : "an-id");
    });
    let handlers = 0;
    const ended = await run("train-model '*' --from now-1d --detach", {
      env: { TORUS_ADDR: `http://${addr}` },
      onReady: () => handlers++,
    });
    expect(ended).toEqual({ code: 0, out: "an-id\n", err: "" });
    expect(requests).toEqual(["GET", "POST"]);
    expect(handlers).toBe(1);
  });
});

/** Words of an example as a shell would part them, up to a pipe or a redirection. */
function wordsOf(line: string): string[] {
  const own = line.slice(line.lastIndexOf("torus "));
  const words = [...own.matchAll(/'([^']*)'|"[^"]*"|\S+/g)].map(([whole, quoted]) => quoted ?? whole);
  const end = words.findIndex((word) => word === "|" || word === ">");
  return words.slice(1, end < 0 ? undefined : end);
}

describe("every command", () => {
  const table = commands.map((command): [string, Command] => [command.name, command]);

  test("has a name of its own, in every form", () => {
    const names = commands.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    expect(new Set(names).size).toBe(names.length);
  });

  test.each(table)("%s has distinct options", (_name, command) => {
    const all: Options = { ...command.options, ...(command.isLocal ? {} : globalOptions), ...helpOption };
    const shared = Object.keys(globalOptions).filter((name) => !command.isLocal && name in command.options);
    expect(shared).toEqual([]);
    const letters = Object.values(all).flatMap(({ short }) => short ?? []);
    expect(new Set(letters).size).toBe(letters.length);
    // An option goes before the alias of another one.
    const isFree = (alias: string) => !Object.hasOwn(command.options, alias);
    const names = Object.entries(all).flatMap(([name, { aliases = [] }]) => [
      name,
      ...aliases.filter((alias) => name in command.options || isFree(alias)),
    ]);
    expect(new Set(names).size).toBe(names.length);
  });

  test.each(table)("%s has a help with all its arguments and options", async (name, command) => {
    const { out, code } = await run(`${name} --help`);
    expect(code).toBe(0);
    expect(out).toStartWith(`Usage: torus ${name}`);
    expect(out).toContain(command.summary);
    for (const option of Object.keys(command.options)) expect(out).toContain(`--${option}`);
    for (const argument of Object.keys(command.arguments)) expect(out).toContain(argument.toUpperCase());
    for (const [line] of command.examples) expect(out).toContain(line);
    for (const line of out.split("\n")) expect(line).toBe(line.trimEnd());
  });

  test.each(table)("%s has examples that its own rules accept", (name, command) => {
    expect(command.examples.length).toBeGreaterThan(0);
    for (const [line] of command.examples) {
      const words = wordsOf(line.replace(/"\$\(torus (.*)\)"/, "torus $1"));
      const rest = words.slice(name.split(" ").length);
      expect(words.join(" ")).toStartWith(name);
      parseWords(rest, {
        arguments: command.arguments,
        options: { ...command.options, ...(command.isLocal ? {} : globalOptions) },
      });
    }
  });
});
