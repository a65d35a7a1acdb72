// Versions of services: one change per new version, whatever gaps, restarts and rollouts are between.
import { expect, test } from "bun:test";
import {
  findVersionChanges,
  isRestless,
  type VersionRun,
  versionRuns,
} from "../../../src/core/changes/versions.ts";

/** `a`, `b`, `ab` (both), `-` (none) for each interval. @returns `index:from>to` */
function find(text: string): string[] {
  const versions = text.split(" ").map((there) => (there === "-" ? [] : [...there]));
  const run = { tags: {}, length: versions.length, versionsAt: (index: number) => versions[index]! };
  const changes = findVersionChanges(run);
  return changes.map(({ index, from, to }) => `${index}:${from.join("")}>${to}`);
}

test.each([
  ["a deployment", "a a a b b b", ["3:a>b"]],
  ["a restart", "a a a a - - a a", []],
  ["a rollout with both", "a a a ab ab ab b b", ["3:a>b"]],
  ["a rollout whose scrapes have gaps", "a a a ab b a ab b b b", ["3:a>b"]],
  ["a deployment after a gap", "a a a - - - - b b", ["7:a>b"]],
  ["a way back", "a a a b b b a a", ["3:a>b", "6:b>a"]],
  ["two versions at once", "a a a bc bc", ["3:a>b", "3:a>c"]],
  ["a service that begins", "- - a a a a", []],
  ["too little before it", "a a b b b b", []],
])("%s: %s", (_, text, changes) => expect(find(text)).toEqual(changes));

const listVersions = ({ length, versionsAt }: VersionRun) =>
  Array.from({ length }, (_, index) => versionsAt(index).join());

test("a label tells the version where the series has a value", () => {
  const column = (...values: number[]) => Float64Array.from(values);
  const runs = versionRuns(
    [
      { tags: { service: "web", version: "1" }, column: column(1, 1, Number.NaN) },
      { tags: { service: "web", version: "2" }, column: column(0, 3, 3) },
      { tags: { service: "db", version: "" }, column: column(1, 1, 1) },
    ],
    "version",
  );
  expect(runs.map((run) => [run.tags, listVersions(run)])).toEqual([
    [{ service: "web" }, ["1", "1,2", "2"]],
    [{ service: "db" }, ["", "", ""]],
  ]);
});

test("without a label the value is the version", () => {
  const [run] = versionRuns([{ tags: { app: "x" }, column: Float64Array.of(7, Number.NaN, 8) }], undefined);
  expect(listVersions(run!)).toEqual(["7", "", "8"]);
});

test.each([
  ["a measurement", 100, 90, true],
  ["a deployment a day", 100, 2, false],
  ["many in a long time", 1000, 40, false],
  ["a few in a short time", 12, 8, false],
])("%s of %d intervals with %d changes: restless %p", (_, length, count, expected) => {
  expect(isRestless({ tags: {}, length, versionsAt: () => ["a"] }, count)).toBe(expected);
});
