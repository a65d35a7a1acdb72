// Retention of model versions: the newest and the needed stay, in any order.
import { expect, test } from "bun:test";
import { MAX_DELETED_AT_ONCE, surplusVersions } from "../../../src/core/model/version-retention.ts";

const name = (number: number) => String(number).padStart(2, "0");
const numbered = (numbers: readonly number[]) => numbers.map((number) => ({ number, name: name(number) }));

test.each([
  { what: "fewer than are kept", there: [0, 1], keep: 3, needed: ["01"], gone: [] },
  { what: "just as many", there: [0, 1, 2], keep: 3, needed: ["02"], gone: [] },
  { what: "one more: the oldest goes", there: [0, 1, 2, 3], keep: 3, needed: ["03"], gone: [0] },
  { what: "the setting was lowered", there: [4, 5, 6, 7, 8], keep: 2, needed: ["08"], gone: [4, 5, 6] },
  { what: "one alone", there: [0, 1, 2], keep: 1, needed: ["02"], gone: [0, 1] },
  { what: "an old one was restored", there: [0, 1, 2, 3], keep: 2, needed: ["00"], gone: [1] },
  { what: "one of the kept was restored", there: [0, 1, 2, 3], keep: 2, needed: ["02"], gone: [0, 1] },
  { what: "jobs work with old ones", there: [0, 1, 2, 3], keep: 1, needed: ["03", "01", "00"], gone: [2] },
  { what: "a needed one is not there", there: [0, 1], keep: 1, needed: ["07"], gone: [0] },
  { what: "numbers with gaps", there: [0, 7, 99, 100], keep: 2, needed: ["100"], gone: [0, 7] },
  { what: "in no order, three digits", there: [100, 9, 101, 99], keep: 2, needed: ["101"], gone: [9, 99] },
  { what: "nothing needed: the newest stays", there: [0, 1], keep: 1, needed: [], gone: [0] },
  { what: "a number that cannot be", there: [0, 1], keep: 0, needed: [], gone: [0] },
  { what: "no versions", there: [], keep: 1, needed: [], gone: [] },
])("$what", ({ there, keep, needed, gone }) => {
  expect(surplusVersions(numbered(there), { keep, needed: new Set(needed) })).toEqual([...gone]);
});

test("very many go in turns, the oldest first", () => {
  const there = Array.from({ length: 3 * MAX_DELETED_AT_ONCE }, (_, i) => i);
  const gone = surplusVersions(numbered(there), { keep: 1, needed: new Set(["00"]) });
  expect(gone).toEqual(there.slice(1, MAX_DELETED_AT_ONCE + 1));
});
