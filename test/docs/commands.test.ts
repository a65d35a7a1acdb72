// Runs every command in README.md and the pages, in the order of the page.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { findDifference } from "./likeness.ts";
import { listChapters, readCommands } from "./pages.ts";
import { openStage, type Stage, whyNot } from "./stage.ts";

const TEST_MS = 180_000;
/** The verdicts of this chapter are those of whole trainings; the others show commands, and train in a tenth of the steps. */
const VERDICTS = "README.md";
const FEW_STEPS = { TORUS_TRAINING_STEPS: "200" };
const missing = ["bash", "curl"].filter((program) => !Bun.which(program));
if (missing.length > 0)
  console.warn(`commands of the documents not tried: there is no ${missing.join(", no ")}`);

describe.skipIf(missing.length > 0).each(listChapters())("$title", ({ title, pages }) => {
  const blocks = pages.flatMap(({ path, text }) => readCommands(text).map((block) => ({ path, block })));
  let stage: Stage;
  beforeAll(async () => {
    const env = title === VERDICTS ? {} : FEW_STEPS;
    stage = await openStage(
      blocks.map(({ block }) => block),
      env,
    );
  }, TEST_MS);
  afterAll(() => stage?.close());

  for (const { path, block } of blocks) {
    const place = `${path}:${block.line}`;
    const reason = whyNot(block);
    if (reason !== undefined) console.warn(`${place} not run: ${reason}`);
    test.skipIf(reason !== undefined)(
      place,
      async () => {
        const { exitCode, output, errors } = await stage.run(block);
        expect([exitCode, exitCode === 0 ? "" : `${output}\n${errors}`]).toEqual([0, ""]);
        if (block.prints !== undefined) expect(findDifference(block.prints, output)).toBeUndefined();
      },
      TEST_MS,
    );
  }
});
