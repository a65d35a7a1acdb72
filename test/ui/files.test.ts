// Files of the dashboard as the server sends them: types, policy, caches, compression, sizes, equal builds.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { bundleUi } from "../../src/app/ui/bundle.ts";
import { en, enScreens } from "../../src/ui/texts/en.ts";
import { temporaryFolder } from "../support/folder.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";

let server: ServerProcess;
let folder: string;
/** Paths that the page names. */
let assets: string[];
beforeAll(async () => {
  folder = temporaryFolder();
  server = await startServer({ dataDir: folder });
  const page = await (await fetch(`${server.url}/ui/`)).text();
  assets = [...page.matchAll(/(?:src|href)="([^":,]+)"/g)].map(([, path]) => `/ui/${path}`);
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const get = (path: string, init: RequestInit = {}) =>
  fetch(`${server.url}${path}`, { redirect: "manual", decompress: false, ...init } as RequestInit);

test("the page and all it names have a type, a strict policy and no other origin", async () => {
  expect(assets.length).toBe(2);
  for (const path of ["/ui/", ...assets]) {
    const { status, headers } = await get(path);
    expect([path, status]).toEqual([path, 200]);
    expect(headers.get("content-type")).toMatch(/^text\/(html|javascript|css); charset=utf-8$/);
    const policy = headers.get("content-security-policy")!;
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-frame-options")).toBe("DENY");
  }
});

test("the page is checked each time, its files are kept", async () => {
  expect((await get("/ui/")).headers.get("cache-control")).toBe("no-cache");
  for (const path of assets) expect((await get(path)).headers.get("cache-control")).toMatch(/immutable/);
});

test("a known file is not sent again", async () => {
  const etag = (await get("/ui/")).headers.get("etag")!;
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
    const again = await get("/ui/", { headers: { "if-none-match": known } });
    expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0]);
  }
  expect((await get("/ui/", { headers: { "if-none-match": '"other"' } })).status).toBe(200);
});

test.each([
  ["gzip", "gzip"],
  ["br, gzip;q=0.5", "gzip"],
  ["gzip;q=0", null],
  ["identity", null],
])("accept-encoding %p is answered with %p", async (accepted, encoding) => {
  const response = await get("/ui/", { headers: { "accept-encoding": accepted } });
  expect(response.headers.get("content-encoding")).toBe(encoding);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const text = new TextDecoder().decode(encoding ? Bun.gunzipSync(bytes) : bytes);
  expect(text).toStartWith("<!doctype html>");
});

test("without the slash it leads there, relative to any prefix; HEAD has no body", async () => {
  const { status, headers } = await get("/ui");
  expect([status, headers.get("location")]).toEqual([308, "ui/"]);
  const head = await get("/ui/", { method: "HEAD" });
  expect([head.status, (await head.arrayBuffer()).byteLength]).toEqual([200, 0]);
});

test.each([
  "/ui/nope.js",
  "/ui/../package.json",
  "/ui/%2e%2e%2fpackage.json",
  "/ui/a/b",
  "/ui/index.html%00",
])("%s is no file", async (path) => expect([400, 404]).toContain((await get(path)).status));

test("other methods are refused, and the root stays the API", async () => {
  expect((await get("/ui/", { method: "POST" })).status).toBe(405);
  expect(await (await fetch(`${server.url}/`)).json()).toHaveProperty("version");
});

describe("the bundle", () => {
  const KB = 1000;
  test("keeps to the budget: 30 kB to the list, 70 kB to a chart, 135 kB in all and one language, compressed", async () => {
    const files = new Map((await bundleUi()).map(({ name, bytes }) => [name, bytes]));
    const page = textOf(files.get("index.html")!);
    const list = [
      "index.html",
      ...[...page.matchAll(/(?:src|href)="(main-[^"]+)"/g)].map(([, name]) => name!),
    ];
    const named = (...starts: string[]) =>
      [...files.keys()].filter((name) =>
        starts.some((start) => new RegExp(`^${start}-[a-z0-9]+\\.`).test(name)),
      );
    const size = (names: readonly string[]) =>
      [...withImports(files, names)].reduce((sum, name) => sum + files.get(name)!.byteLength, 0);
    expect(size(list)).toBeLessThan(30 * KB);
    expect(size([...list, ...named("charts", "en-screens")])).toBeLessThan(70 * KB);
    // The reader of CSV files comes with the first file.
    const csv = named("csv-file");
    expect(csv).toHaveLength(1);
    expect(files.get(csv[0]!)!.byteLength).toBeLessThan(25.5 * KB);
    const ofOneLanguage = [...files.keys()].filter((name) => !name.startsWith("de-") && !csv.includes(name));
    expect(size(ofOneLanguage)).toBeLessThan(135 * KB);
  });

  test("holds what several screens share in one file, besides those of a kind of screen", async () => {
    const names = (await bundleUi()).map(({ name }) => name).filter((name) => name.endsWith(".js"));
    const shared = names.filter((name) => name.startsWith("main-"));
    // Each file begins its compression anew, and names what it takes of every other.
    expect(shared.length).toBeLessThan(10);
  });

  test("holds each English text once: those of the screens apart from those of the list", async () => {
    const texts = new Map((await bundleUi()).map(({ name, bytes }) => [name, textOf(bytes)]));
    const holding = (text: string) => {
      const names = [...texts.keys()].filter((name) => texts.get(name)!.includes(text));
      return names.map((name) => name.replace(/-[a-z0-9]+\.js$/, ""));
    };
    expect(holding(en.skip)).toEqual(["main"]);
    expect(holding(enScreens.notLive)).toEqual(["en-screens"]);
  });

  test("is the same each time", async () => {
    const [first, second] = [await bundleUi(), await bundleUi()];
    const summary = (files: typeof first) => files.map(({ name, bytes }) => [name, Bun.hash(bytes)]);
    expect(summary(second)).toEqual(summary(first));
  });

  test("names no other origin", async () => {
    // Namespaces of documents, and the example in the help of a field.
    const isName = /^http:\/\/(www\.w3\.org\/|localhost:9093$)/;
    for (const { name, bytes } of await bundleUi()) {
      const text = new TextDecoder().decode(Bun.gunzipSync(bytes));
      const origins = [...text.matchAll(/https?:\/\/[^\s"'`)]+/g)].map(([address]) => address);
      expect([name, origins.filter((address) => !isName.test(address))]).toEqual([name, []]);
    }
  });
});

test("server.ui: false turns it off, and says so", async () => {
  const own = temporaryFolder();
  const off = await startServer({ dataDir: own, env: { TORUS_SERVER_UI: "false" } });
  const response = await fetch(`${off.url}/ui/`);
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ detail: expect.stringContaining("server.ui") });
  await off.stop();
  await rm(own, { recursive: true, force: true });
});

test("with tokens the files stay open, as they hold no data; everything else is closed", async () => {
  const own = temporaryFolder();
  const closed = await startServer({
    dataDir: own,
    args: ["--config", await writeConfig(own)],
  });
  for (const path of ["/ui/", ...assets]) expect((await fetch(`${closed.url}${path}`)).status).toBe(200);
  for (const path of ["/session", "/models", "/ui/a/../../models"])
    expect((await fetch(`${closed.url}${path}`)).status).toBe(401);
  await closed.stop();
  await rm(own, { recursive: true, force: true });
});

async function writeConfig(dir: string): Promise<string> {
  const path = `${dir}-config.yml`;
  await Bun.write(
    path,
    "server: {auth: {tokens: [{name: t, scope: read, token: torus_0123456789abcdef0123456789abcdef}]}}\n",
  );
  return path;
}

const textOf = (gzip: Uint8Array<ArrayBuffer>) => new TextDecoder().decode(Bun.gunzipSync(gzip));

/** The files, and those that they import before they run. */
function withImports(files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>, names: readonly string[]) {
  const found = new Set<string>();
  const add = (name: string) => {
    if (found.has(name)) return;
    found.add(name);
    for (const [, other] of textOf(files.get(name)!).matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g))
      add(other!);
  };
  names.forEach(add);
  return found;
}
