// Episodes a week, and the false ones among them.
import { expect, test } from "bun:test";
import { addAlarms, countAlarms, eventQuality } from "./alarms.ts";

const DAY = 86_400;
const flags = (text: string) => Uint8Array.from(text, (sign) => (sign === "." ? 0 : 1));

test.each([
  // The first touches the label, the second starts in its margin, the third is false.
  {
    name: "true, near, false",
    labels: "..xxx.........",
    flagged: "...xx.x..xx...",
    falseAlarms: 1,
    episodes: 3,
  },
  {
    name: "starts quiet, reaches the label",
    labels: ".....xx.......",
    flagged: "..xxxx........",
    falseAlarms: 0,
    episodes: 1,
  },
  { name: "no label", labels: "..............", flagged: "x...x.....x..x", falseAlarms: 4, episodes: 4 },
  { name: "no episode", labels: ".......xx.....", flagged: "..............", falseAlarms: 0, episodes: 0 },
])("$name", ({ labels, flagged, falseAlarms, episodes }) => {
  const counted = countAlarms(
    { flags: flags(flagged), labels: flags(labels) },
    { margin: 2, stepSeconds: DAY },
  );
  expect(counted).toMatchObject({ falseAlarms, episodes, weeks: 2 });
});

test("quiet is what lies further than the margin from a label", () => {
  const labels = flags("xx.......x");
  // Days 0..1 and 9 are labelled; 2..3 and 7..8 lie within two days of them; 4..6 are quiet.
  expect(
    countAlarms({ flags: flags(".........."), labels }, { margin: 2, stepSeconds: DAY }).quietWeeks,
  ).toBeCloseTo(3 / 7, 12);
});

test("sums over series", () => {
  const one = {
    episodes: 1,
    hits: 1,
    labelled: 2,
    found: 1,
    delays: [3],
    falseAlarms: 1,
    weeks: 2,
    quietWeeks: 1.5,
  };
  expect(addAlarms([one, { ...one, falseAlarms: 0 }])).toEqual({
    episodes: 2,
    hits: 2,
    labelled: 4,
    found: 2,
    delays: [3, 3],
    falseAlarms: 1,
    weeks: 4,
    quietWeeks: 3,
  });
  expect(addAlarms([])).toMatchObject({ episodes: 0, delays: [], quietWeeks: 0 });
});

test("recall by labels, precision by episodes, delay in points", () => {
  const labels = flags(".xxxx.....xx..xx");
  const flagged = flags("...x..x...xx....");
  const alarms = countAlarms({ flags: flagged, labels }, { margin: 1, stepSeconds: DAY });
  expect(alarms.delays).toEqual([2, 0]);
  const { recall, precision, f1 } = eventQuality(alarms);
  expect([recall, precision, f1]).toEqual([2 / 3, 2 / 3, 2 / 3]);
  expect(eventQuality(addAlarms([]))).toEqual({ recall: 0, precision: 0, f1: 0 });
});
