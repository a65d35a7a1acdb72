// Choice of a constant: worth relative to the value in use, and leave-one-set-out.
import { expect, test } from "bun:test";
import { chooseByOthers, type Option, renderConstant, worthOf } from "./choice.ts";

const anOption = (value: number, bySet: Record<string, readonly [ranking: number, f1: number]>): Option => ({
  value,
  quality: Object.entries(bySet).map(([set, [ranking, f1]]) => ({
    set,
    ranking,
    f1,
    recall: f1,
    precision: f1,
    falseAWeek: 0,
  })),
});

const inUse = anOption(3, { a: [0.5, 0.5], b: [0.4, 0.2], c: [0.2, 0.4] });
const good = anOption(5, { a: [0.1, 0.1], b: [0.8, 0.4], c: [0.4, 0.8] });

test("the worth is the mean of the ratios of ranking and F1", () => {
  expect(worthOf("b", good, inUse)).toBe(2);
  expect(worthOf("a", good, inUse)).toBeCloseTo(0.2);
  expect(worthOf("a", anOption(1, { a: [0.5, 0.25] }), inUse)).toBe(0.75);
});

test("nothing found by either is equal; anything is better than nothing", () => {
  const none = anOption(3, { a: [0.5, 0] });
  expect(worthOf("a", none, none)).toBe(1);
  expect(worthOf("a", anOption(5, { a: [0.5, 0.1] }), none)).toBe(1.5);
});

test("the set left out has no say in the choice, and shows what the choice is worth", () => {
  const [a, b] = chooseByOthers([inUse, good]);
  expect(a).toEqual({ set: "a", own: 3, byOthers: 5, worth: worthOf("a", good, inUse) });
  expect(b).toMatchObject({ set: "b", own: 5, byOthers: 5, worth: 2 });
});

test("the value in use stays where others are equal, and with a single set", () => {
  expect(chooseByOthers([inUse, { ...inUse, value: 9 }]).map(({ byOthers }) => byOthers)).toEqual([3, 3, 3]);
  const single = anOption(3, { a: [0.5, 0.5] });
  expect(chooseByOthers([single, anOption(5, { a: [1, 1] })])).toMatchObject([{ own: 5, byOthers: 3 }]);
});

test("a set that was not measured is an error", () =>
  expect(() => worthOf("d", good, inUse)).toThrow("the set d was not measured"));

test("values are shown in order, the one in use marked", () => {
  const lines = renderConstant("size", [inUse, good, anOption(1, { a: [1, 1], b: [1, 1], c: [1, 1] })]).split(
    "\n",
  );
  const values = lines.filter((line) => /^\| \d/.test(line)).map((line) => line.split("|")[1]!.trim());
  expect(values).toEqual(["1", "3 (in use)", "5"]);
});
