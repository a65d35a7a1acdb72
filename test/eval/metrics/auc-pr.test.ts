// Average precision, on cases small enough to do by hand.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { aucPr } from "./auc-pr.ts";

const area = (labels: readonly number[], scores: readonly number[]) =>
  aucPr({ labels: Uint8Array.from(labels), scores: Float64Array.from(scores) });

test.each([
  { name: "perfect", labels: [1, 1, 0, 0], scores: [4, 3, 2, 1], expected: 1 },
  { name: "constant: the base rate", labels: [1, 0, 0, 0], scores: [2, 2, 2, 2], expected: 1 / 4 },
  // Recall rises by 1/2 at precision 1/1 and by 1/2 at precision 2/3.
  { name: "mixed", labels: [1, 0, 1, 0], scores: [4, 3, 2, 1], expected: 1 / 2 + 1 / 3 },
  // The tie of one hit and one miss is crossed at once: recall 1 at precision 1/2.
  { name: "tie", labels: [1, 0], scores: [1, 1], expected: 1 / 2 },
  // Recall rises by 1/2 at precision 1/2, and by 1/2 at precision 2/4.
  { name: "late", labels: [0, 1, 0, 1], scores: [4, 3, 2, 1], expected: 1 / 4 + 1 / 4 },
])("$name", ({ labels, scores, expected }) => {
  expect(area(labels, scores)).toBeCloseTo(expected, 12);
});

test("without labels there is no curve", () => expect(area([0, 0], [1, 2])).toBeUndefined());

test("only the order of the scores matters", () => {
  const points = fc.array(fc.tuple(fc.integer({ min: 0, max: 1 }), fc.integer({ min: -20, max: 20 })), {
    minLength: 1,
    maxLength: 30,
  });
  fc.assert(
    fc.property(points, (pairs) => {
      const [labels, scores] = [pairs.map(([label]) => label), pairs.map(([, score]) => score)];
      expect(
        area(
          labels,
          scores.map((score) => Math.exp(score / 5)),
        ),
      ).toBe(area(labels, scores));
    }),
  );
});
