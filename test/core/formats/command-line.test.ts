// Command-line grammar: parsing, and errors.
import { describe, expect, test } from "bun:test";
import { type Arguments, type Options, parseWords } from "../../../src/core/formats/command-line.ts";
import { errorOf } from "../expect.ts";

const options = {
  from: { short: "f", value: "DATE", description: "start" },
  epochs: { short: "e", value: "N", type: "integer", description: "passes" },
  share: { short: "p", value: "SHARE", type: "number", description: "level" },
  every: { value: "DURATION", type: "duration", description: "pace" },
  columns: { value: "A,B", type: "list", description: "columns" },
  scope: { value: "SCOPE", choices: ["read", "run"], description: "rights" },
  label: { value: "L", many: true, description: "labels" },
  detach: { aliases: ["bg"], description: "do not wait" },
  all: { short: "a", description: "everything" },
  quiet: { short: "q", description: "less" },
} as const satisfies Options;
const specs = {
  model: { description: "name" },
  rest: { description: "others", optional: true, many: true },
} as const satisfies Arguments;

const parse = (...words: string[]) => parseWords(words, { arguments: specs, options });

describe("words become", () => {
  const cases: [string[], object][] = [
    [["--from", "now-1d"], { from: "now-1d" }],
    [["--from=now-1d"], { from: "now-1d" }],
    [["--from="], { from: "" }],
    [["-f", "now"], { from: "now" }],
    [["-fnow"], { from: "now" }],
    [["-f", "-1.5"], { from: "-1.5" }],
    [["-f", "-"], { from: "-" }],
    [["-f", "a", "-f", "b"], { from: "b" }],
    [["-e", "12"], { epochs: 12 }],
    [["-p", "0.95"], { share: 0.95 }],
    [["--every", "5m"], { every: "5m" }],
    [["--columns", "a, b"], { columns: ["a", "b"] }],
    [["--scope", "run"], { scope: "run" }],
    [["--label", "a", "--label", "b"], { label: ["a", "b"] }],
    [["--bg"], { detach: true }],
    [["-aq"], { all: true, quiet: true }],
    [["-qf", "x"], { quiet: true, from: "x" }],
  ];
  test.each(cases)("%j: %j", (words, expected) => {
    expect(parse("m", ...words).options).toMatchObject(expected);
    expect(parse(...words, "m").arguments.model).toBe("m");
  });

  test("absent options are undefined, false or empty", () => {
    const { options: values, arguments: plain } = parse("m");
    expect(values).toMatchObject({ label: [], detach: false, all: false });
    expect(values.from).toBeUndefined();
    expect(plain).toEqual({ model: "m", rest: [] });
  });

  test("arguments in their order; after -- everything is one", () => {
    expect(parse("a", "-q", "b", "--", "--from", "-x").arguments).toEqual({
      model: "a",
      rest: ["b", "--from", "-x"],
    });
  });
});

const refusals: [string, string[], RegExp][] = [
  ["an unknown option", ["m", "--form", "x"], /^--form: is unknown; did you mean --from\?$/],
  ["an unknown letter", ["m", "-z"], /^-z: is unknown; see --help$/],
  ["no value", ["m", "--from"], /^--from: needs a value: --from DATE$/],
  ["an option for a value", ["m", "--from", "--all"], /^--from: needs a value/],
  ["a short option for a value", ["m", "-f", "-q"], /^--from: needs a value/],
  ["a value for a switch", ["m", "--all=yes"], /^--all: takes no value$/],
  ["a fraction", ["m", "-e", "1.5"], /^--epochs: must be a whole number$/],
  ["a word for a number", ["m", "-p", "half"], /^--share: must be a finite number$/],
  ["no duration", ["m", "--every", "soon"], /^--every: must be a duration/],
  ["no choice", ["m", "--scope", "rum"], /^--scope: must be one of read, run; did you mean (read|run)\?$/],
  ["no argument", [], /^MODEL: is missing$/],
];
test.each(refusals)("refuses %s", (_name, words, message) => {
  const error = errorOf(() => parse(...words));
  expect(error.code).toBe("invalid");
  expect(error.message).toMatch(message);
});

test("a name of its own goes before the alias of another option", () => {
  const options = {
    tz: { aliases: ["timezone"], value: "ZONE", description: "" },
    timezone: { value: "ZONE", description: "" },
  };
  const spec = { arguments: {}, options };
  expect(parseWords(["--timezone", "UTC"], spec).options).toEqual({ tz: undefined, timezone: "UTC" });
  expect(parseWords(["--timezone", "UTC"], { ...spec, options: { tz: options.tz } }).options.tz).toBe("UTC");
});

test("refuses an argument too many, a required option that is missing, and a word that is no choice", () => {
  const one = { arguments: { shell: { description: "", choices: ["bash"] } }, options: {} };
  expect(errorOf(() => parseWords(["bash", "more"], one)).message).toBe("more: is one argument too many");
  expect(errorOf(() => parseWords(["bush"], one)).message).toBe(
    "shell: must be one of bash; did you mean bash?",
  );
  const needed = { arguments: {}, options: { from: { value: "DATE", required: true, description: "" } } };
  expect(errorOf(() => parseWords([], needed)).message).toBe("--from: is required: --from DATE");
});
