// The add-on of deploy/home-assistant: the rules of Home Assistant for the files of an add-on
// (developers.home-assistant.io/docs/add-ons/configuration), and the settings that its options are.
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { manifest } from "../../.ci/release/manifest.ts";
import { readSettings } from "../../src/settings/load.ts";
import { listSettings } from "../../src/settings/schema.ts";
import { lastOf, readDockerfile, variablesOf } from "../support/dockerfile.ts";

const folder = resolve(import.meta.dir, "../../deploy/home-assistant");
const addon = join(folder, "torus");
const read = (path: string) => readFileSync(join(folder, path), "utf8");
const config = parse(read("torus/config.yaml")) as Record<string, never> & {
  options: Record<string, unknown>;
  schema: Record<string, unknown>;
  ports: Record<string, number>;
};
const dockerfile = readDockerfile(read("torus/Dockerfile"));

/** What Home Assistant accepts for each key that the add-on has. */
const rules: Readonly<Record<string, RegExp | readonly unknown[]>> = {
  name: /./,
  version: /^\d+\.\d+\.\d+$/,
  slug: /^[-_.A-Za-z0-9]+$/,
  description: /./,
  url: /^https:\/\//,
  arch: ["aarch64", "amd64"],
  startup: ["initialize", "system", "services", "application", "once"],
  boot: ["auto", "manual", "manual_only"],
  timeout: Array.from({ length: 291 }, (_, i) => i + 10),
  backup: ["hot", "cold"],
  webui: /^https?:\/\/\[HOST\]:\[PORT:\d+\]/,
  watchdog: /^https?:\/\/\[HOST\]:\[PORT:\d+\]/,
  tmpfs: [true, false],
  map: ["addon_config", "share"],
  services: /^(mqtt|mysql):(provide|want|need)$/,
};
const element = /^(str|bool|int(\(\d*,\d*\))?|float|email|url|password|port|list\(.+\))\??$/;

test("every key has a value that Home Assistant accepts", () => {
  const { options: _, schema, ports, ...rest } = config;
  expect(Object.keys(rest).sort()).toEqual(Object.keys(rules).sort());
  for (const [key, value] of Object.entries(rest)) {
    const rule = rules[key]!;
    const values = [value as unknown].flat().map((one) => (one as { type?: string }).type ?? one);
    for (const one of values)
      if (rule instanceof RegExp) expect([key, one]).toEqual([key, expect.stringMatching(rule)]);
      else expect(rule).toContain(one);
  }
  expect(Object.keys(ports)).toEqual([`${manifest.port}/tcp`]);
  for (const type of Object.values(schema).flatMap((value) => elementsOf(value)))
    expect(type).toMatch(element);
});

/** Types of an option: maps and lists are at most two deep. */
function elementsOf(value: unknown, depth = 2): string[] {
  if (typeof value === "string") return [value];
  expect(depth).toBeGreaterThan(0);
  return Object.values(value as object).flatMap((inner) => elementsOf(inner, depth - 1));
}

test("options are settings, described in every language", () => {
  const known = listSettings().map(({ path }) => path);
  for (const name of Object.keys(config.schema)) expect([...known, "server.auth.tokens"]).toContain(name);
  // Without a default an option is one that need not be given.
  for (const [name, type] of Object.entries(config.schema))
    expect([name, name in config.options]).toEqual([name, !String(type).endsWith("?")]);
  const languages = readdirSync(join(addon, "translations")).sort();
  expect(languages).toEqual(["de.yaml", "en.yaml"]);
  for (const language of languages) {
    const { configuration, network } = parse(read(`torus/translations/${language}`));
    expect(Object.keys(configuration)).toEqual(Object.keys(config.schema));
    expect(Object.keys(network)).toEqual(Object.keys(config.ports));
  }
});

test("the server accepts the options once the token is given, and refuses them before", () => {
  const serve = (options: unknown) =>
    readSettings({
      argv: (JSON.parse(lastOf(dockerfile, "CMD")!) as string[]).slice(1),
      env: variablesOf(dockerfile),
      readFile: (path) => {
        if (path === "/data/options.json") return JSON.stringify(options);
        throw Object.assign(new Error("no such file"), { code: "ENOENT" });
      },
    }).settings;
  expect(() => serve(config.options)).toThrow("server.auth.tokens.0.token");
  const filled = JSON.parse(JSON.stringify(config.options), (name, value) =>
    name === "token" ? "0123456789abcdef".repeat(4) : value,
  );
  expect(serve({ ...filled, "server.external_url": "http://homeassistant.local:8077" })).toMatchObject({
    listen: { host: "0.0.0.0", port: manifest.port },
    externalUrl: "http://homeassistant.local:8077",
    dataDir: "/data/torus",
    dataRoot: "/share",
    ignored: [],
  });
});

test("version and image are those of the release, the repository says who keeps it", () => {
  expect(config.version as unknown).toBe(manifest.version);
  expect(lastOf(dockerfile, "FROM")).toBe(`registry.example.org/${manifest.name}:${manifest.version}`);
  expect(Object.keys(parse(read("repository.yaml")))).toEqual(["name", "url", "maintainer"]);
  expect(existsSync(join(addon, "DOCS.md"))).toBe(true);
});
