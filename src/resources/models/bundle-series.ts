// Series of a fleet in a bundle: blocks of compressed JSON, packed and read one at a time.
import { invalid } from "../../core/errors.ts";
import { groupKeyOf, groupValuesOf } from "../../core/series/grouped-grid.ts";
import { createYielder, yieldToEventLoop } from "../../runtime/steps.ts";
import type { NewSeriesFit } from "../../store/fleets/fit-sets.ts";
import { readBlock } from "./bundle-block.ts";

/** Compresses in some 10 ms what one page of series holds. */
const LEVEL = 1;
/** Of all blocks, unpacked: bounds the work of one request. */
const MAX_BYTES = 4 * 1024 * 1024 * 1024;

/** Packs pages of series. @returns a text per page; other work runs between two */
export async function packSeries(pages: AsyncIterable<readonly NewSeriesFit[]>): Promise<string[]> {
  const blocks: string[] = [];
  for await (const page of pages) {
    await yieldToEventLoop();
    const block = page.map(({ key, tags, points, parameters }) => ({ key, tags, points, parameters }));
    blocks.push(
      Buffer.from(Bun.zstdCompressSync(JSON.stringify(block), { level: LEVEL })).toString("base64"),
    );
  }
  return blocks;
}

/**
 * Reads the blocks, each when its first series is taken.
 * @throws TorusError `invalid` with the path of the block
 */
export async function* readSeries(blocks: readonly string[]): AsyncGenerator<NewSeriesFit> {
  const keys = new Set<string>();
  const pause = createYielder(new AbortController().signal);
  let unpacked = 0;
  for (const [i, text] of blocks.entries()) {
    const path = `series.${i}`;
    const block = await readBlock(text, pause).catch(() => {
      throw invalid(path, "must be a block of series as in an export: the text was cut or changed");
    });
    unpacked += block.bytes;
    if (unpacked > MAX_BYTES)
      throw invalid(path, `must not unpack to more than ${MAX_BYTES} bytes with those before`);
    for (const fit of block.series) {
      const shown = fit.key.slice(0, 256);
      if (!isKeyOf(fit))
        throw invalid(path, `must have series with the values of their tags, unlike ${shown}`);
      if (keys.has(fit.key)) throw invalid(path, `must not have the series ${shown} a second time`);
      keys.add(fit.key);
      yield fit;
    }
  }
}

/** Whether a key has the values of the tags, in the order of some `group_by`. */
function isKeyOf({ key, tags }: Pick<NewSeriesFit, "key" | "tags">): boolean {
  const values = valuesOf(key);
  return (
    groupKeyOf(values) === key && groupKeyOf(values.toSorted()) === groupKeyOf(Object.values(tags).sort())
  );
}

function valuesOf(key: string): string[] {
  try {
    const values: unknown = groupValuesOf(key);
    return Array.isArray(values) ? values : [];
  } catch {
    return [];
  }
}
