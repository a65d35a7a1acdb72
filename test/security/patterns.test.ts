// Regular expressions: linear time on hostile text, and none made from unescaped input.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseFeatures } from "../../src/buckets/shared/point.ts";
import { keyOfAddress } from "../../src/core/access/failure-limit.ts";
import { parseKey } from "../../src/core/access/key.ts";
import { redact } from "../../src/core/access/redact.ts";
import { parseAuthorization } from "../../src/core/access/token.ts";
import { TorusError } from "../../src/core/errors.ts";
import { readDate, readTimeOfDay } from "../../src/core/formats/csv/cell-date.ts";
import { dissect } from "../../src/core/formats/csv/numbers.ts";
import { parseListing } from "../../src/core/input/listing.ts";
import { splitNames } from "../../src/core/input/name.ts";
import { fillTemplate, findParams } from "../../src/core/input/params.ts";
import { checkPlaceholders, fillPlaceholders } from "../../src/core/input/placeholder.ts";
import { parseBoolean, parseInteger, parseNumber } from "../../src/core/input/value.ts";
import { checkCron } from "../../src/core/time/cron.ts";
import { checkJobName, checkScheduledJob } from "../../src/core/time/scheduled-job.ts";
import { isDuration, parseDate } from "../../src/core/time/time.ts";
import { checkRequest } from "../../src/http/framework/guard.ts";
import { describeRequest } from "../../src/http/framework/request-context.ts";
import { isForbiddenAddress, parseAddress } from "../../src/net/address.ts";
import { hideSecrets } from "../../src/net/hide.ts";
import { parseConstraint } from "../../src/resources/models/params.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { cpuMs } from "../support/cpu.ts";

const LENGTH = 20_000;
/** CPU time of what takes a few ms at most; were its time to grow with the square of the length, it would take seconds. */
const MOST_MS = 250;

const prefixes = ["", "now", "http://", "a:", "?", "{{", "a(", "1", "/", "Bearer "];
const pieces = [
  ...[" ", "a", "0", ":", "@", "/", ";", "(", ")", "{", "}", "%", "\\", "&", ".", "\u00e9", "\u200b"],
  ...[
    "a.",
    "a-",
    "a@",
    "a:",
    "0.",
    "0:",
    "://",
    "a://",
    "a://b:c",
    "{{",
    "{{ ",
    "{{a}}",
    "&u=",
    "?token=",
    "* ",
    "1,",
    "::",
  ],
];
const suffixes = ["", "!", "@", "x", "}", " x"];
const texts = prefixes.flatMap((prefix) =>
  pieces.flatMap((piece) => suffixes.map((suffix) => prefix + piece.repeat(LENGTH / piece.length) + suffix)),
);
const log = createLog({ level: "debug", write: () => {}, now: () => 0 });
const limits = { bodyBytes: 1, writeBytes: 1, bodyDepth: 1, bodiesInFlightBytes: 1 };

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  redact: (text) => redact({ deep: [text] }),
  parseDate: (text) => parseDate(text, 0),
  numberOfCell: dissect,
  dateOfCell: (text) => readDate(text, "dmy"),
  timeOfCell: readTimeOfDay,
  isDuration,
  parseBoolean: (text) => parseBoolean(text, "x"),
  parseInteger: (text) => parseInteger(text, "x"),
  parseNumber: (text) => parseNumber(text, "x"),
  splitNames: (text) => splitNames(text),
  checkJobName: (text) => checkJobName(text),
  relativeUrl: (text) =>
    checkScheduledJob({
      name: "j",
      method: "get",
      relative_url: text.slice(0, 8192),
      every: { unit: "day" },
    }),
  at: (text) =>
    checkScheduledJob({ name: "j", method: "get", relative_url: "/", every: { unit: "day", at: text } }),
  checkCron: (text) => checkCron(text.slice(0, 256), "x"),
  sort: (text) => parseListing({ sort: text }),
  fields: (text) => parseListing({ fields: text }),
  findParams: (text) => findParams({ a: text }),
  fillTemplate: (text) => fillTemplate({ a: text }, { a: "b" }),
  checkPlaceholders: (text) => checkPlaceholders(text, ["a"], "x"),
  fillPlaceholders: (text) => fillPlaceholders(text, { a: "b" }),
  parseFeatures: (text) => parseFeatures(text),
  parseConstraint: (text) => parseConstraint({ constraint: text }, ["a"]),
  parseAddress: (text) => parseAddress(text),
  isForbiddenAddress: (text) => isForbiddenAddress(text),
  parseAuthorization: (text) => parseAuthorization(text),
  parseKey,
  keyOfAddress,
  hideSecrets: (text) => hideSecrets(text, ["hunter2"]),
  log: (text) => log.info(text, { text, url: text, error: new Error(text) }),
  query: (text) => {
    const request = new Request(`http://x/?pretty=${text.slice(0, 16_000)}`);
    checkRequest(request, describeRequest(request), limits);
  },
};

for (const [name, read] of Object.entries(readers)) {
  test(`${name} reads hostile text in no time`, async () => {
    // Twice: the garbage of other texts may have been collected.
    const isSlow = async (text: string) => (await cpuMs(() => attempt(() => read(text)))) > MOST_MS;
    for (const text of texts)
      if ((await isSlow(text)) && (await isSlow(text)))
        throw new Error(`slow: ${text.slice(0, 40)}...${text.slice(-10)}`);
  }, 180_000);
}

function attempt(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof TorusError)) throw error;
  }
}

test("patterns are made of our own texts alone; where a client's text becomes part of one, it is escaped", () => {
  const root = join(import.meta.dir, "../..");
  const makers = [...new Bun.Glob("src/**/*.ts").scanSync(root)].filter(
    (path) => !path.startsWith("src/cli/") && readFileSync(join(root, path), "utf8").includes("new RegExp("),
  );
  expect(makers.sort()).toEqual([
    "src/core/changes/shapes/values.ts", // of constants
    "src/core/formats/csv-time.ts", // of a time format: fields of digits, all else escaped
    "src/core/formats/csv/cell-date.ts", // of constants
    "src/core/formats/csv/numbers.ts",
    "src/core/input/name.ts", // of a constant
    "src/core/input/params.ts", // of a constant
    "src/http/framework/known-methods.ts", // of our own routes, escaped
    "src/net/hide.ts", // of a secret, escaped: shown below
  ]);
  expect(hideSecrets("a.c abc (a+)+ a+", ["(a+)+", "a.c"])).toBe("*** abc *** a+");
});

test("digests of secrets are compared in constant time, which no measurement can show reliably", () => {
  const source = readFileSync(join(import.meta.dir, "../../src/resources/tokens/index.ts"), "utf8");
  expect(source).toContain("!timingSafeEqual(token.digest, ");
  expect(source).not.toMatch(
    /\b(digest|secret)( *\)?)* *[!=]==? *(?!undefined)|[!=]== *(token\.)?(digest|secret)\b/,
  );
});
