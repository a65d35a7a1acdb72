// Attribution of an anomaly: which changes fit by time and tags, in which order, and with which history.
import { describe, expect, test } from "bun:test";
import { attribute, findCandidates, type Subject } from "../../../src/core/changes/attribution.ts";
import type { RecordedChange } from "../../../src/core/changes/change.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/core/time/time.ts";

const startAt = Date.parse("2026-01-31T12:00:00Z");
const minutes = (count: number) => startAt - count * MINUTE_MS;
const days = (count: number) => startAt - count * DAY_MS;

const aChange = (id: string, at: number, own: Partial<RecordedChange> = {}): RecordedChange => ({
  ...{ id, at, endAt: null, kind: "deploy", title: id, url: null, tags: {} },
  ...own,
});
const aSubject = (tags: Record<string, string[]> = {}, intervalMs = MINUTE_MS): Subject => ({
  ...{ startAt, intervalMs },
  tags: new Map(Object.entries(tags).map(([tag, values]) => [tag, new Set(values)])),
});
const idsOf = (subject: Subject, ...changes: RecordedChange[]) =>
  findCandidates(subject, changes).map(({ change }) => change.id);

describe("time", () => {
  test.each<[at: number, intervalMs: number, endAt: number | null, fits: boolean]>([
    [minutes(0), MINUTE_MS, null, true],
    [minutes(60), MINUTE_MS, null, true],
    [minutes(61), MINUTE_MS, null, false],
    // The anomaly may have begun at the end of its first interval.
    [minutes(-1), MINUTE_MS, null, true],
    [minutes(-2), MINUTE_MS, null, false],
    // A day: three intervals.
    [days(3), DAY_MS, null, true],
    [days(4), DAY_MS, null, false],
    // The window begins when it was complete.
    [minutes(90), MINUTE_MS, minutes(30), true],
    [minutes(90), MINUTE_MS, minutes(61), false],
  ])("a change at %d, with an interval of %d, complete at %p: %p", (at, intervalMs, endAt, fits) => {
    expect(idsOf(aSubject({}, intervalMs), aChange("c", at, { endAt }))).toEqual(fits ? ["c"] : []);
  });
});

test("what began some hours earlier or later has a longer window", () => {
  const subject = { ...aSubject(), slackMs: 3 * HOUR_MS };
  const at = [minutes(-181), minutes(-182), minutes(240), minutes(241)];
  expect(idsOf(subject, ...at.map((each, i) => aChange(String(i), each)))).toEqual(["0", "2"]);
});

describe("tags", () => {
  const web = aSubject({ service: ["web"], host: ["a", "b"] });

  test.each<[tags: Record<string, string>, shared: Record<string, string> | undefined]>([
    [{ service: "web" }, { service: "web" }],
    [{ service: "web", version: "1.9.2" }, { service: "web" }],
    [{ host: "b" }, { host: "b" }],
    [{ service: "db" }, undefined],
    [{ service: "web", host: "c" }, undefined],
    [{ version: "1.9.2" }, undefined],
    [{ repository: "web" }, { repository: "web" }],
    [{}, {}],
  ])("%j shares %j", (tags, shared) => {
    const [candidate] = findCandidates(web, [aChange("c", minutes(1), { tags })]);
    expect(candidate?.shared).toEqual(shared);
  });

  test("the likeliest come first, at most three", () => {
    const changes = [
      aChange("untagged", minutes(1)),
      aChange("value", minutes(2), { tags: { app: "web" } }),
      aChange("earlier", minutes(9), { tags: { service: "web" } }),
      aChange("later", minutes(3), { tags: { service: "web" } }),
    ];
    expect(idsOf(web, ...changes)).toEqual(["later", "earlier", "value"]);
  });

  test("without tags of its own, a series matches changes without tags alone", () => {
    expect(
      idsOf(aSubject(), aChange("a", minutes(1)), aChange("b", minutes(1), { tags: { x: "y" } })),
    ).toEqual(["a"]);
  });
});

describe("history", () => {
  const tags = { service: "web" };
  const subject = aSubject({ service: ["web"] });
  const of = (changes: RecordedChange[], starts: number[], sinceAt = 0) => {
    const all = [aChange("now", minutes(4), { tags: { ...tags, version: "7" } }), ...changes];
    return attribute(findCandidates(subject, all), { subject, changes: all, past: { starts, sinceAt } });
  };
  const weekly = (own: Partial<RecordedChange> = {}) =>
    [1, 2, 3, 4, 5, 6].map((week) => aChange(`w${week}`, days(7 * week), { tags, ...own }));

  test("counts the last five changes of its kind that share its tags", () => {
    const starts = [days(7) + 5 * MINUTE_MS, days(14) + HOUR_MS, days(21) + 2 * HOUR_MS, days(42)];
    expect(of(weekly(), starts)).toEqual([
      {
        ...{ id: "now", title: "now", kind: "deploy", at: minutes(4), delayMs: 4 * MINUTE_MS },
        ...{ shared: tags, history: { followed: 2, of: 5 } },
      },
    ]);
  });

  test.each<[name: string, changes: RecordedChange[]]>([
    ["of another kind", weekly({ kind: "flag" })],
    ["of another service", weekly({ tags: { service: "db" } })],
    ["without tags", weekly({ tags: {} })],
    ["of more than 90 days ago", [aChange("old", days(91), { tags })]],
  ])("changes %s do not count", (_, changes) => {
    expect(of(changes, [days(7)])[0]!.history).toEqual({ followed: 0, of: 0 });
  });

  const often = (count: number, span: number) =>
    Array.from({ length: count }, (_, i) => startAt - ((i + 1) * span) / (count + 1));

  test.each<[name: string, starts: number[], sinceAt: number, expected: number]>([
    ["half an anomaly an hour", often(360, 30 * DAY_MS), 0, 0],
    ["a little less", often(359, 30 * DAY_MS), 0, 1],
    ["half an anomaly an hour of a young model", often(12, DAY_MS), days(1), 0],
    ["one in the only hour of a model", [minutes(30)], minutes(60), 1],
    ["many, long ago", often(1000, DAY_MS).map((at) => at - 31 * DAY_MS), 0, 1],
  ])("%s", (_, starts, sinceAt, expected) => {
    expect(of([], starts, sinceAt)).toHaveLength(expected);
  });
});
