// Changes on charts: those that concern a model or its series, and those below the pointer.
import { expect, test } from "bun:test";
import { changesAt, concerningChanges } from "../../../src/ui/lib/changes.ts";

const aChange = (id: string, tags: Record<string, string> = {}, at = 0) => ({
  ...{ id, at, kind: "deploy", title: id, tags, created_timestamp: 0 },
});
const settings = {
  features: [{ name: "a", match_all: [{ tag: "service", value: "web" }] }, { name: "b" }],
};

test("changes of the chart are those an anomaly could name", () => {
  const changes = [
    aChange("any"),
    aChange("web", { service: "web", version: "7" }),
    aChange("value", { repository: "web" }),
    aChange("db", { service: "db" }),
    aChange("host", { host: "a" }),
  ];
  const ids = (series?: string) => concerningChanges(changes, { settings }, series).map(({ id }) => id);
  expect(ids()).toEqual(["any", "web", "value"]);
  expect(ids("host:a")).toEqual(["any", "web", "value", "host"]);
  expect(ids("host:b")).toEqual(["any", "web", "value"]);
});

test("the pointer finds a change within a hundredth of the range, or a step", () => {
  const changes = [aChange("c", {}, 500)];
  const found = (at: number, step: number) =>
    changesAt(at, { changes, times: [0, 1000], step }).map(({ id }) => id);
  expect(found(510, 1)).toEqual(["c"]);
  expect(found(511, 1)).toEqual([]);
  expect(found(440, 60)).toEqual(["c"]);
  expect(changesAt(500, { changes, times: [], step: 1 })).toHaveLength(1);
});
