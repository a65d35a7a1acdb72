// Window of the overview map: grips, drags, keys, and what a training leaves out of it.
import { expect, test } from "bun:test";
import {
  centerWindow,
  dragWindow,
  gripAt,
  keepWithin,
  secondsLeftOut,
  windowOfKey,
} from "../../../src/ui/lib/overview.ts";

const extent = { from: 0, to: 10_000 };
const window = { from: 4000, to: 6000 };

test.each([
  [3000, "new"],
  [3950, "from"],
  [4050, "from"],
  [5000, "middle"],
  [5950, "to"],
  [6050, "to"],
  [7000, "new"],
] as const)("at %p is %p", (at, grip) => expect(gripAt(at, window, 100)).toBe(grip));

test("a narrow window has a middle", () => {
  expect(gripAt(5000, { from: 4990, to: 5010 }, 100)).toBe("middle");
});

const drag = (grip: Parameters<typeof dragWindow>[0]["grip"], start: number, at: number) =>
  dragWindow({ grip, window, start }, at, extent);

test("the middle moves both ends, up to those of the data", () => {
  expect(drag("middle", 5000, 5500)).toEqual({ from: 4500, to: 6500 });
  expect(drag("middle", 5000, 20_000)).toEqual({ from: 8000, to: 10_000 });
});

test("an edge moves alone, also past the other one; a window keeps a minute", () => {
  expect(drag("from", 4000, 3000)).toEqual({ from: 3000, to: 6000 });
  expect(drag("to", 6000, 1000)).toEqual({ from: 1000, to: 4000 });
  expect(drag("from", 4000, 6000)).toEqual({ from: 6000, to: 6060 });
});

test("beside the window a new one is drawn in either direction", () => {
  expect(drag("new", 8000, 9000)).toEqual({ from: 8000, to: 9000 });
  expect(drag("new", 8000, -50)).toEqual({ from: 0, to: 8000 });
});

test("a window is centered, and one longer than the data is cut", () => {
  expect(centerWindow(window, 500, extent)).toEqual({ from: 0, to: 2000 });
  expect(keepWithin({ from: -5000, to: 20_000 }, extent)).toEqual(extent);
});

test.each([
  ["ArrowRight", { from: 4200, to: 6200 }],
  ["PageDown", { from: 2000, to: 4000 }],
  ["Home", { from: 0, to: 2000 }],
  ["End", { from: 8000, to: 10_000 }],
  ["+", { from: 4500, to: 5500 }],
  ["-", { from: 3000, to: 7000 }],
] as const)("%s", (key, next) => expect(windowOfKey(key, window, extent)).toEqual(next));

test("other keys have no meaning, and a minute is not halved", () => {
  expect(windowOfKey("x", window, extent)).toBeUndefined();
  const minute = { from: 100, to: 160 };
  expect(windowOfKey("+", minute, extent)).toEqual(minute);
});

test("a training leaves out anomalies and anomalous labels once, and false alarms not at all", () => {
  const marks = [
    { from: 1000, to: 1600, anomaly: true },
    { from: 1300, to: 1900, anomaly: true },
    { from: 3000, to: 4000, anomaly: false },
    { from: 9900, to: null },
  ];
  expect(secondsLeftOut(marks, extent)).toBe(1000);
  expect(secondsLeftOut(marks, { from: 1500, to: 5000 })).toBe(400);
});
