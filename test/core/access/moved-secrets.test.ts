// Stored secrets never move to another destination, for every kind of bucket and hook.
import { describe, expect, test } from "bun:test";
import type { TSchema } from "@sinclair/typebox";
import { bucketKinds, mergeBucket, viewBucket } from "../../../src/buckets/index.ts";
import type { BucketKind } from "../../../src/buckets/kind.ts";
import type { BucketSettings } from "../../../src/core/model/bucket-settings.ts";
import {
  checkMoved,
  fillSecrets,
  type HookSettings,
  hookKinds,
  keepSecrets,
} from "../../../src/hooks/index.ts";
import type { HookKind } from "../../../src/hooks/kind.ts";
import { errorOf } from "../expect.ts";

const SECRET = "kept-secret";
const OTHER = "given-again";

/** What names a place, in whatever kind. */
const places = /^(?:addr|host|url|end_url|port|scheme|use_ssl|verify_ssl|ca_certs|ssl_cert_path)$/;

/** Required settings of every kind that are neither places nor secrets. */
const others = {
  database: "d",
  measurement: "m",
  table: "t",
  time_column: "at",
  index: "i",
  collection: "c",
  topics: [{ topic: "a" }],
  region: "eu-west-1",
};

/** A value of a destination, and another. */
function valuesOf(key: string, schema: TSchema): readonly [unknown, unknown] {
  if (schema.type === "boolean") return [!schema.default, schema.default ?? false];
  if (key === "url") return ["http://one.example:1", "http://two.example:1"];
  return /^(?:addr|host)$/.test(key) ? ["one.example:1", "two.example:1"] : ["/one.pem", "/two.pem"];
}

const bucketCases = Object.values(bucketKinds as unknown as Record<string, BucketKind>).flatMap((kind) =>
  kind.destination.map((key) => [kind.kind, key] as const),
);

function makeBucket(type: string): BucketSettings {
  const { settings, secrets, destination } = (bucketKinds as unknown as Record<string, BucketKind>)[type]!;
  const known = Object.entries(others).filter(([key]) => key in settings.properties);
  const kept = secrets.map((key) => [key, key === "client_key" ? "/key.pem" : SECRET]);
  const where = destination.map((key) => [key, valuesOf(key, settings.properties[key]!)[0]]);
  return Object.fromEntries([["name", "b"], ["type", type], ...known, ...kept, ...where]);
}

describe("buckets", () => {
  test.each(
    Object.values(bucketKinds as unknown as Record<string, BucketKind>).map((kind) => [kind.kind, kind]),
  )("%s declares every setting that names a place", (_, { settings, secrets, destination }) => {
    const named = Object.keys(settings.properties).filter((key) => places.test(key));
    expect([...destination].sort()).toEqual((secrets.length > 0 ? named : []).sort());
  });

  test.each(bucketCases)("%s: a change of %s wants every secret again", (type, key) => {
    const { settings, secrets } = (bucketKinds as unknown as Record<string, BucketKind>)[type]!;
    const old = makeBucket(type);
    const change = { [key]: valuesOf(key, settings.properties[key]!)[1] };
    const given: Record<string, string> = {};
    for (const _ of secrets) {
      const error = errorOf(() => mergeBucket(old, { ...change, ...given }));
      expect(secrets).toContain(error.details.path as string);
      expect(error.message).toContain(`must be given again: ${key} changes`);
      expect(error.message).not.toContain(SECRET);
      given[error.details.path as string] = OTHER;
    }
    const next = mergeBucket(old, { ...change, ...given });
    expect(JSON.stringify(next)).not.toContain(SECRET);
    expect(next).toMatchObject(change);
  });

  test.each(bucketCases)("%s: the same %s, or another setting, keeps them", (type, key) => {
    const old = makeBucket(type);
    expect(mergeBucket(old, { [key]: old[key] })).toEqual(old);
    expect(mergeBucket(old, { ...viewBucket(old), max_series_per_request: 7 })).toEqual({
      ...old,
      max_series_per_request: 7,
    });
  });

  test("a secret may be taken away instead, and credentials in an address stay with it", () => {
    const old = { name: "b", type: "prometheus", addr: "http://u:pw@one.example:1", token: SECRET } as never;
    expect(mergeBucket(old, { addr: "two.example:1", token: null })).toEqual({
      name: "b",
      type: "prometheus",
      addr: "two.example:1",
    });
    const error = errorOf(() => mergeBucket(old, { verify_ssl: true, token: OTHER }));
    expect(error.details.path).toBe("addr");
    expect(mergeBucket(old, { addr: "http://u:new@one.example:1" })).toMatchObject({ token: SECRET });
  });
});

describe("hooks", () => {
  const kinds = Object.values(hookKinds) as unknown as HookKind[];
  test.each(kinds.map((kind) => [kind.kind, kind]))("%s declares every setting that names a place", (_, {
    config,
    secrets,
    destination,
  }) => {
    const named = Object.keys(config.properties).filter((key) => places.test(key) && !secrets.includes(key));
    expect([...destination].sort()).toEqual(named.sort());
  });

  const save = (old: HookSettings, config: object) => {
    const body = { type: old.type, name: old.name, config };
    const next = keepSecrets(old, fillSecrets(old, body) as HookSettings);
    checkMoved(old, next, body);
    return next.config;
  };
  const webhook: HookSettings = {
    type: "webhook",
    name: "h",
    config: { url: "https://one.example/x", secret: SECRET, headers: { Authorization: SECRET } },
  };

  test("a webhook elsewhere wants secret and headers again", () => {
    const url = "https://two.example/x";
    expect(errorOf(() => save(webhook, { url })).details.path).toBe("config.secret");
    expect(errorOf(() => save(webhook, { url, secret: OTHER })).details.path).toBe("config.headers");
    expect(errorOf(() => save(webhook, { url: webhook.config.url, verify_ssl: false })).details.path).toBe(
      "config.secret",
    );
    expect(save(webhook, { url, secret: OTHER, headers: {} })).toEqual({ url, secret: OTHER, headers: {} });
    expect(save(webhook, { url: webhook.config.url, verify_ssl: true })).toEqual({
      ...webhook.config,
      verify_ssl: true,
    });
  });

  test("so do the values of a body, which a change of the body alone keeps", () => {
    const config = {
      url: "https://one.example/{values.key}",
      body: { token: "{values.key}" },
      values: { key: SECRET },
    };
    const bodied: HookSettings = { ...webhook, config };
    const { values, ...seen } = config;
    const body = { token: "{values.key}", text: "{summary}" };
    expect(save(bodied, { ...seen, body })).toEqual({ ...seen, body, values });
    for (const change of [{ url: "https://two.example/x" }, { end_url: "https://one.example/y" }])
      expect(errorOf(() => save(bodied, { ...seen, ...change })).details.path).toBe("config.values");
  });

  test("what an address holds goes with that address alone", () => {
    const slack: HookSettings = {
      type: "slack",
      name: "h",
      config: { url: `https://one.example/${SECRET}` },
    };
    expect(errorOf(() => save(slack, { verify_ssl: false })).details.path).toBe("config.url");
    expect(save(slack, { templates: {} })).toMatchObject(slack.config);
  });
});
