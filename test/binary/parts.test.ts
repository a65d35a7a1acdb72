// Ceilings of the parts of the compiled program.
import { expect, test } from "bun:test";
import { checkSizes, parts, renderSizes, type Sizes } from "../../.ci/parts.ts";

const atCeiling = Object.fromEntries(
  Object.entries(parts).map(([name, { ceilingMb }]) => [name, ceilingMb * 1e6]),
) as unknown as Sizes;

test("sizes up to the ceilings are accepted", () => expect(() => checkSizes(atCeiling)).not.toThrow());

test("each part above its ceiling is named with its size", () => {
  const sizes = { ...atCeiling, scripts: 9_500_000, bytecode: 24_500_000 };
  expect(() => checkSizes(sizes)).toThrow(
    /^parts above their ceiling in \.ci\/parts\.ts: bytecode 24\.50 MB of [\d.]+, scripts 9\.50 MB of [\d.]+$/,
  );
});

test("sizes are shown from the largest part to the smallest", () => {
  const sizes = { runtime: 109.2e6, bytecode: 22.6e6, compute: 14.2e6, scripts: 8.5e6, embedded: 0.2e6 };
  expect(renderSizes(sizes)).toBe("runtime 109.2, bytecode 22.6, compute 14.2, scripts 8.5, embedded 0.2");
});
