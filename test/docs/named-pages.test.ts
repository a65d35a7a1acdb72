// Pages that messages name: a reader who is sent to a page finds it.
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import { signatures } from "../../src/promql/language/signatures.ts";

const root = join(import.meta.dir, "../..");

/** Pages by the source that names them. */
async function findNamed(): Promise<[source: string, page: string][]> {
  const named: [string, string][] = [];
  for await (const source of new Glob("src/**/*.{ts,tsx}").scan(root))
    for (const [page] of (await Bun.file(join(root, source)).text()).matchAll(/\bdocs\/[\w/-]+\.md\b/g))
      named.push([source, page]);
  return named;
}

test("each page that the sources name is there", async () => {
  const named = await findNamed();
  expect(named.map(([, page]) => page)).toContain("docs/promql.md");
  expect(named.filter(([, page]) => !existsSync(join(root, page)))).toEqual([]);
});

describe("docs/promql.md", () => {
  test("lists all functions, and no others", async () => {
    const text = await Bun.file(join(root, "docs/promql.md")).text();
    const [, list = ""] = /<!-- functions -->([\s\S]*?)<!-- end -->/.exec(text) ?? [];
    const listed = [...list.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
    expect(listed.toSorted()).toEqual([...signatures.keys()].toSorted());
  });
});
