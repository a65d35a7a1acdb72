// Session: rights of the sender, settings of the moment.
import { expect, test } from "bun:test";
import { unrestricted } from "../../../src/core/access/token.ts";
import { Session, type SessionFacts } from "../../../src/resources/server/session.ts";
import { defaultLimits } from "../../../src/resources/shared/range.ts";

const off: SessionFacts = {
  timezone: "UTC",
  hooks: { mail: false, exec: false, allowPrivate: false },
  binMs: 1000,
  body: { bodyBytes: 1000, bodyDepth: 10 },
};

function makeSession({ isOn = true, expiresAt }: { isOn?: boolean; expiresAt?: number } = {}) {
  const effective = { facts: off };
  const session = new Session({
    tokens: { isOn, expiryOf: () => expiresAt },
    version: "2.0.0",
    startedAt: 5000,
    limits: defaultLimits,
    facts: () => effective.facts,
  });
  return { session, effective };
}

test("without tokens everybody is an admin without a name", () => {
  const view = makeSession({ isOn: false }).session.describe(unrestricted);
  expect(view).toMatchObject({ auth: false, scope: "admin", version: "2.0.0", started_timestamp: 5 });
  expect(view).not.toContainAnyKeys(["name", "expires_date", "external_url"]);
});

test("a narrowed scope is shown, not that of the token", () => {
  const token = { id: "1", name: "ops", scope: "admin" } as const;
  const { session } = makeSession({ expiresAt: 10_000 });
  expect(session.describe({ scope: "run", token })).toMatchObject({
    auth: true,
    scope: "run",
    name: "ops",
    expires_date: "1970-01-01T00:00:10.000Z",
    expires_timestamp: 10,
  });
});

test("a reload shows", () => {
  const { session, effective } = makeSession();
  effective.facts = {
    ...off,
    timezone: "Europe/Berlin",
    externalUrl: "https://t.example",
    hooks: { mail: true, exec: true, allowPrivate: true },
  };
  expect(session.describe(unrestricted)).toMatchObject({
    timezone: "Europe/Berlin",
    external_url: "https://t.example",
    hooks: { mail: true, exec: true, private_networks: true },
    limits: { body_bytes: 1000, body_depth: 10, values_per_read: 5_000_000 },
  });
});
