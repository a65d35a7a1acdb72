// Command that updates the documents: bun test/docs/readme.ts; with --outputs also printed outputs.
import { join } from "node:path";
import { updateBlocks } from "./blocks.ts";
import { listChapters, listPages, type Page, readCommands, root, showOutput } from "./pages.ts";
import { openStage, whyNot } from "./stage.ts";

for (const { path, text } of listPages()) {
  const updated = updateBlocks(text);
  if (updated !== text) await Bun.write(join(root, path), updated);
}

/** Runs the pages that show what commands print, and puts that into them. */
async function updateOutputs(pages: readonly Page[]): Promise<void> {
  const stage = await openStage(pages.flatMap(({ text }) => readCommands(text)));
  try {
    for (const { path, text } of pages) {
      let updated = text;
      for (const block of readCommands(text)) {
        if (whyNot(block) !== undefined) continue;
        const { exitCode, output, errors } = await stage.run(block);
        if (exitCode !== 0) throw new Error(`${path}:${block.line} failed\n${output}\n${errors}`);
        if (block.prints !== undefined) updated = showOutput(updated, block, output);
      }
      await Bun.write(join(root, path), updated);
    }
  } finally {
    await stage.close();
  }
}

if (process.argv.includes("--outputs"))
  for (const { pages } of listChapters())
    if (pages.some(({ text }) => text.includes("<!-- prints -->"))) await updateOutputs(pages);
