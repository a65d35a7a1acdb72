// Share of a job that is done.
import { expect, test } from "bun:test";
import { shareOf } from "../../../src/ui/lib/progress.ts";

test.each([
  [undefined, undefined],
  [{ eval: 1, max_evals: 4, epoch: 5, epochs: 10 }, 0.375],
  [{ eval: 4, max_evals: 4, epoch: 10, epochs: 10 }, 1],
])("the share of %j is %p", (progress, share) => expect(shareOf(progress)).toBe(share));
