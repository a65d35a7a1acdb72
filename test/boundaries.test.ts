// The rules of the architecture that a compiler does not see: who may import whom, and what no file may hold.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const root = resolve(import.meta.dir, "..");

/** What a room may import, beside itself and packages; `src/main.ts` is a room of its own. From the ground up. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  "src/core": [],
  "src/runtime": ["src/core"],
  "src/api": ["src/core"],
  "src/metrics": ["src/core"],
  "src/net": ["src/core", "src/runtime"],
  "src/store": ["src/core", "src/runtime"],
  "src/tsdb": ["src/core", "src/runtime", "src/metrics"],
  "src/buckets": ["src/core", "src/runtime", "src/metrics", "src/net", "src/tsdb"],
  "src/promql": ["src/core", "src/runtime"],
  "src/hooks": ["src/core", "src/net"],
  "src/models": ["src/core", "src/runtime"],
  "src/points": ["src/core", "src/metrics", "src/buckets", "src/models"],
  "src/jobs": [
    "src/core",
    "src/runtime",
    "src/api",
    "src/metrics",
    "src/buckets",
    "src/store",
    "src/models",
    "src/points",
  ],
  "src/live": [
    "src/core",
    "src/runtime",
    "src/api",
    "src/metrics",
    "src/buckets",
    "src/store",
    "src/models",
    "src/points",
    "src/jobs",
  ],
  "src/delivery": ["src/core", "src/runtime", "src/net", "src/store", "src/hooks"],
  "src/cluster": ["src/core", "src/runtime", "src/store"],
  "src/scheduler": ["src/core", "src/runtime", "src/store"],
  "src/resources": [
    "src/core",
    "src/runtime",
    "src/api",
    "src/metrics",
    "src/buckets",
    "src/store",
    "src/hooks",
    "src/models",
    "src/points",
    "src/jobs",
    "src/live",
    "src/promql",
  ],
  "src/mcp": ["src/core", "src/runtime", "src/api", "src/resources"],
  "src/telemetry": [
    "src/core",
    "src/store",
    "src/jobs",
    "src/live",
    "src/delivery",
    "src/scheduler",
    "src/resources",
  ],
  "src/http": ["src/core", "src/runtime", "src/api", "src/resources", "src/telemetry", "src/mcp"],
  "src/settings": ["src/core", "src/hooks", "src/telemetry"],
  "src/cli": ["src/core", "src/runtime", "src/api"],
  // The dashboard runs in browsers: of the API it takes types.
  "src/ui": ["src/core", "src/api"],
  "src/app": ["src/*"],
  "src/main.ts": ["src/cli", "src/app"],
  wasm: ["wasm"],
};

/** Kinds side by side: only the registry may know them all. */
const kinds = ["src/metrics", "src/buckets", "src/hooks", "src/models"];
const sharedInKinds = /^(shared|stats|scoring|kind|index)(\.ts)?$/;

/** Files outside of src that src may import. */
const openDoors = ["wasm/protocol.ts", "package.json"];
const doorsOf: Readonly<Record<string, readonly string[]>> = {
  "src/store": ["drizzle/"],
  "src/jobs": ["wasm/worker.ts"],
  "src/cli": ["src/settings/flags.ts"],
  // Shapes and bytes alone: neither of them computes.
  "src/models": ["wasm/donut/export.ts", "wasm/donut/layout.ts"],
};

interface Source {
  readonly path: string;
  readonly text: string;
  /** Without comments. */
  readonly code: string;
  /** Paths from the root of what it imports, packages left out. */
  readonly imports: readonly string[];
}

const transpilers = {
  ts: new Bun.Transpiler({ loader: "ts" }),
  tsx: new Bun.Transpiler({ loader: "tsx" }),
};
const sources: Source[] = [...new Bun.Glob("{src,wasm}/**/*.{ts,tsx}").scanSync(root)].sort().map((path) => {
  const text = readFileSync(join(root, path), "utf8");
  const code = text.replace(/\/\*[\s\S]*?\*\/|(^|[^:"'`])\/\/.*$/gm, "$1");
  // The transpiler drops imports of types; the text has them all.
  const found = [...code.matchAll(/\b(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g)].map((match) => match[1]!);
  const scanned = path.endsWith(".d.ts")
    ? []
    : transpilers[path.endsWith("x") ? "tsx" : "ts"].scanImports(text).map((entry) => entry.path);
  const imports = [...new Set([...found, ...scanned.filter((entry) => entry.startsWith("."))])];
  return { path, text, code, imports: imports.map((entry) => toPath(path, entry)) };
});

function toPath(from: string, specifier: string): string {
  return relative(root, resolve(root, dirname(from), specifier));
}

function roomOf(path: string): string {
  if (path.startsWith("wasm/")) return "wasm";
  const [, second = ""] = path.split("/");
  return `src/${second}`;
}

function isAllowed(from: string, to: string): boolean {
  const room = roomOf(from);
  if (openDoors.includes(to) && room !== "wasm") return true;
  if (doorsOf[room]?.some((door) => to.startsWith(door))) return true;
  const allowed = mayImport[room] ?? [];
  if (!to.startsWith("src/")) return room === "wasm" && to.startsWith("wasm/");
  return roomOf(to) === room || allowed.includes(roomOf(to)) || allowed.includes("src/*");
}

const breaking = (rule: (source: Source) => boolean) => sources.filter(rule).map(({ path }) => path);

test("there are sources", () => expect(sources.length).toBeGreaterThan(20));

test("every room is in the table", () => {
  const rooms = new Set(sources.map(({ path }) => roomOf(path)));
  expect([...rooms].filter((room) => !(room in mayImport))).toEqual([]);
});

test("imports go one way", () => {
  const wrong = sources.flatMap(({ path, imports }) =>
    imports.filter((to) => !isAllowed(path, to)).map((to) => `${path} imports ${to}`),
  );
  expect(wrong).toEqual([]);
});

test("imports form no circle, those of types included", () => {
  const importsOf = new Map(sources.map(({ path, imports }) => [path, imports]));
  const done = new Set<string>();
  const circles: string[] = [];
  const follow = (path: string, trail: readonly string[]) => {
    const seenAt = trail.indexOf(path);
    if (seenAt >= 0) return void circles.push([...trail.slice(seenAt), path].join(" -> "));
    if (done.has(path)) return;
    for (const to of importsOf.get(path) ?? []) follow(to, [...trail, path]);
    done.add(path);
  };
  for (const { path } of sources) follow(path, []);
  expect(circles).toEqual([]);
});

test("no folder holds more than 24 files flat", () => {
  const folders = Map.groupBy(sources, ({ path }) => dirname(path));
  const crowded = [...folders].filter(([, files]) => files.length > 24).map(([folder]) => folder);
  expect(crowded).toEqual([]);
});

test.each([
  ["src/core/a.ts", "src/store/b.ts", false],
  ["src/store/a.ts", "src/core/b.ts", true],
  ["src/hooks/a.ts", "src/net/b.ts", true],
  ["src/tsdb/a.ts", "src/buckets/b.ts", false],
  ["src/delivery/a.ts", "src/live/b.ts", false],
  ["src/app/a.ts", "src/scheduler/b.ts", true],
  ["src/hooks/a.ts", "src/buckets/b.ts", false],
  ["src/net/a.ts", "src/buckets/b.ts", false],
  ["src/store/a.ts", "src/models/b.ts", false],
  ["src/metrics/a.ts", "src/buckets/b.ts", false],
  ["src/jobs/a.ts", "src/resources/b.ts", false],
  ["src/promql/a.ts", "src/store/b.ts", false],
  ["src/http/a.ts", "src/resources/b.ts", true],
  ["src/http/a.ts", "src/store/b.ts", false],
  ["src/http/a.ts", "src/mcp/b.ts", true],
  ["src/mcp/a.ts", "src/http/b.ts", false],
  ["src/mcp/a.ts", "src/store/b.ts", false],
  ["src/http/a.ts", "src/api/b.ts", true],
  ["src/api/a.ts", "src/buckets/b.ts", false],
  ["src/core/a.ts", "src/api/b.ts", false],
  ["src/resources/a.ts", "src/http/b.ts", false],
  ["src/app/services.ts", "src/http/b.ts", true],
  ["src/http/a.ts", "src/app/services.ts", false],
  ["src/models/a.ts", "wasm/protocol.ts", true],
  ["src/models/a.ts", "wasm/ort.ts", false],
  ["src/ui/a.tsx", "src/api/b.ts", true],
  ["src/ui/a.tsx", "src/http/b.ts", false],
  ["src/http/a.ts", "src/ui/b.ts", false],
  ["wasm/a.ts", "wasm/b/c.ts", true],
  ["wasm/a.ts", "src/core/b.ts", false],
] as const)("%s may import %s: %p", (from, to, allowed) => {
  expect(isAllowed(from, to)).toBe(allowed);
});

test("sibling kinds do not import one another", () => {
  const wrong = sources.flatMap(({ path, imports }) => {
    const room = kinds.find((kind) => path.startsWith(`${kind}/`));
    if (!room) return [];
    const unit = (file: string) => file.slice(room.length + 1).split("/")[0]!;
    if (sharedInKinds.test(unit(path))) return [];
    return imports
      .filter((to) => to.startsWith(`${room}/`) && unit(to) !== unit(path) && isKind(room, unit(to)))
      .map((to) => `${path} imports ${to}`);
  });
  expect(wrong).toEqual([]);
});

/** A kind is what the registry imports. */
function isKind(room: string, unit: string): boolean {
  const registry = sources.find(({ path }) => path === `${room}/index.ts`);
  return (
    !sharedInKinds.test(unit) && Boolean(registry?.imports.some((to) => to.startsWith(`${room}/${unit}`)))
  );
}

describe("no file", () => {
  test("but main.ts uses process", () => {
    const users = breaking(
      ({ path, code }) => path.startsWith("src/") && /\bprocess\s*[.[]|"node:process"/.test(code),
    );
    expect(users.filter((path) => path !== "src/main.ts")).toEqual([]);
  });

  test("outside of the store and the buckets that are SQL touches it", () => {
    const sql =
      /"bun:sqlite"|"drizzle-orm|\b(SELECT\s.+\sFROM|INSERT INTO|UPDATE \w+ SET|DELETE FROM|PRAGMA)\b/;
    const users = breaking(({ code }) => sql.test(code));
    expect(
      users.filter((path) => !/^src\/(store|tsdb|buckets\/(stored|postgres|clickhouse))\//.test(path)),
    ).toEqual([]);
  });

  test("has an asynchronous transaction, which would not roll back", () => {
    expect(breaking(({ code }) => /transaction\(\s*async\b/.test(code))).toEqual([]);
  });

  test("lacks its charter: what it is for, in a comment on its first line", () => {
    expect(breaking(({ text }) => !/^\/\/ \S.{15,}/.test(text))).toEqual([]);
  });

  test("reads the clock or rolls dice in core", () => {
    const impure = /\bDate\.now\(|new Date\(\)|Math\.random\(|setTimeout\(|setInterval\(|\bfetch\(/;
    expect(breaking(({ path, code }) => path.startsWith("src/core/") && impure.test(code))).toEqual([]);
  });

  test("but the dashboard uses the document, and it takes no more than types from the API", () => {
    const users = breaking(({ code }) =>
      /\bdocument\.(body|documentElement|getElementById|querySelector|addEventListener|hidden)\b|\b(local|session)Storage\./.test(
        code,
      ),
    );
    expect(users.filter((path) => !path.startsWith("src/ui/"))).toEqual([]);
    const values = /^import (?!type\b)[^"]*"(\.\.\/)+api\/(?!client)/m;
    expect(breaking(({ path, text }) => path.startsWith("src/ui/") && values.test(text))).toEqual([]);
  });

  test("of the dashboard writes HTML from text", () => {
    const unsafe = /dangerouslySetInnerHTML|\.innerHTML\b|document\.write/;
    expect(breaking(({ path, code }) => path.startsWith("src/ui/") && unsafe.test(code))).toEqual([]);
  });

  test("loads the SDK for assistants before the first of them asks", () => {
    expect(breaking(({ code }) => /from "@modelcontextprotocol\//.test(code))).toEqual([]);
    const users = breaking(({ code }) => code.includes("@modelcontextprotocol/"));
    expect(users).toEqual(["src/mcp/endpoint.ts"]);
  });

  test("loads the library of Arrow before the first answer in its format", () => {
    expect(breaking(({ text }) => /^import (?!type\b)[^;]*"apache-arrow"/m.test(text))).toEqual([]);
    const users = breaking(({ code }) => code.includes('"apache-arrow"'));
    expect(users).toEqual(["src/core/formats/arrow-stream.ts"]);
  });

  test("is left unfinished", () => {
    expect(breaking(({ text }) => /\b(TODO|FIXME|XXX)\b/.test(text))).toEqual([]);
  });
});
