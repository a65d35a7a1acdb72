// Threat model: every threat with the tests that cover it.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: names of tests are made so
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bucketKinds } from "../../src/buckets/index.ts";

interface Threat {
  /** How the service behaves. */
  readonly behaviour: string;
  /** Files under test/, and in each what its tests or their rows are called. */
  readonly tests: Readonly<Record<string, readonly string[]>>;
}

const threats: Readonly<Record<string, Threat>> = {
  "no authentication": {
    behaviour: "without a token the server listens on this machine only",
    tests: {
      "security/listen.test.ts": [
        "without a token the start is refused, with the ways out",
        "with a token that was made on this machine it starts; the last one then stays",
        "a token that is needed everywhere is asked for everywhere",
      ],
      "http/framework/access.test.ts": [
        "an operation that declares nothing is for administrators, and no path with parameters is open",
      ],
      "security/server.test.ts": ["permissions of each scope"],
    },
  },
  "a web page beside the service": {
    behaviour: "Host, Origin and Sec-Fetch-Site are checked before credentials",
    tests: {
      "security/server.test.ts": [
        "that rebinds its name to this server reads and changes nothing",
        "sends nothing over plain HTTP, where browsers leave out Sec-Fetch-Site",
        "locks no client out, however often it guesses",
      ],
      "http/framework/hosts.test.ts": ["%s is answered 421: %j"],
      "http/framework/cors.test.ts": ["is refused before its credentials are looked at"],
    },
  },
  "token guessing and timing": {
    behaviour: "digests of equal length are compared in constant time; ten failures a minute and address",
    tests: {
      "resources/tokens/index.test.ts": [
        "a secret is its own proof, and with a name only that name's",
        "a secret is shown once and kept nowhere",
      ],
      "core/access/token.test.ts": ["a secret is 256 bits behind a prefix that scanners know"],
      "http/framework/auth.test.ts": [
        "ten wrong tokens a minute, then 429 with the time to wait, also for the right one",
      ],
      "core/access/failure-limit.test.ts": [
        "a million addresses use the memory of a hundred; recent failures still count",
      ],
      "core/access/trusted-proxies.test.ts": ["what the client made up comes first and counts for nothing"],
      "security/listen.test.ts": [
        "behind a trusted proxy who guesses waits, the others do not; a client cannot say who it is",
      ],
      "security/server.test.ts": ["guessing from one address has to wait; its address is logged"],
    },
  },
  "secrets read back": {
    behaviour: "fields a kind calls secret are in no view; a change that leaves them out keeps them",
    tests: {
      "contract/secrets.test.ts": [
        "bucket kind ${type}: secrets are kept, and shown nowhere",
        "hooks: secrets of every kind are shown nowhere",
        "templates and scheduled jobs show no secrets either",
        "a PATCH without the secret keeps it: what is shown can be sent back",
      ],
      "security/server.test.ts": ["no log line, answer or error ever holds a token"],
    },
  },
  "secrets in errors": {
    behaviour: "errors name path and rule, never the value",
    tests: {
      "contract/secrets.test.ts": [
        "bucket kind ${type}: a mistake beside a secret does not bring it out",
        "and the log knows none of them",
      ],
      "core/input/schema.test.ts": ["the submitted value is not in the message"],
      "settings/security.test.ts": ["%s is refused without being shown"],
    },
  },
  "secrets at rest": {
    behaviour: "sealed with AES-256-GCM, bound to their place; a wrong key is a clear start-up error",
    tests: {
      "security/rest.test.ts": [
        "no file holds a secret of a bucket, a hook, its deliveries, or a scheduled job; nor of a token",
        "the directory and the key are the owner's alone",
        "a backup holds ciphertext only, and not the key",
        "without the key, or with another one, is refused with what to do; exit code 1",
        "after an upgrade seals what lay open, and says so",
      ],
      "store/secrets/seal.test.ts": [
        "in another row",
        "in another field",
        "with other bytes",
        "with another key",
      ],
      "store/secrets/rotate.test.ts": [
        "that dies on the way changes nothing, or is finished by the next start",
      ],
    },
  },
  "internal details in a 500": {
    behaviour: "the request's id, and nothing of the error",
    tests: {
      "http/framework/errors.test.ts": ["%s: 500 without detail, the request id, the stack in the log"],
    },
  },
  "wrong content type": {
    behaviour: "415 for anything but JSON",
    tests: {
      "http/framework/guard.test.ts": [
        "text",
        "a form",
        "a parts form",
        "no content type",
        "almost JSON",
        "a compressed body",
      ],
    },
  },
  "silent typos and mass assignment": {
    behaviour: "an unknown key is a 400 with the nearest known one",
    tests: {
      "buckets/index.test.ts": ["every kind has settings that name their rules and refuse unknown keys"],
      "hooks/index.test.ts": [
        "every kind is what its key says, with a schema that refuses what it does not know",
      ],
      "core/access/token.test.ts": ["%p is no token: %s"],
      "settings/load.test.ts": ["a slip in a key"],
    },
  },
  "names as paths": {
    behaviour: "one pattern for names; no file is named after a client's text",
    tests: {
      "core/input/name.test.ts": ["%p is not"],
      "http/framework/guard.test.ts": [
        "a slash in a name",
        "a backslash in a name",
        "a control character",
        "a name with a dot",
      ],
    },
  },
  "scheduled job as a way to other hosts": {
    behaviour: "a path of this service, answered inside the process",
    tests: {
      "security/inside.test.ts": [
        "%p is refused, or stays here",
        "no path at all leads elsewhere",
        "a run opens no socket",
      ],
    },
  },
  "scheduled job with another's rights": {
    behaviour: "the rights of its creator, as long as there are any; neither timetables nor tokens",
    tests: {
      "security/server.test.ts": [
        "runs with the rights of who made it, without a token of its own, and not after they are gone",
        "may reach neither scheduled jobs nor tokens, however the path is written",
        "cannot be distinguished by a header that a client could send",
      ],
      "http/framework/access.test.ts": [
        "a run of a scheduled job changes neither scheduled jobs nor tokens, whatever its rights",
      ],
      "resources/tokens/index.test.ts": ["has its rights while it is there, and never more than at the time"],
    },
  },
  "address of a bucket or a hook": {
    behaviour:
      "checked after it is resolved, and the connection goes to what was checked; no redirects, no echo",
    tests: {
      "net/fetch.connect.test.ts": [
        "a name that leads to %j is refused, nothing is connected",
        "the connection goes to the address that was checked, the Host header says the name",
      ],
      "net/fetch.test.ts": [
        "redirects, which is not followed",
        "the text %p of an error is not the store's and not repeated",
      ],
      "net/private.test.ts": ["::ffff:10.0.0.1", "%s is private"],
      "net/address.test.ts": ["2130706433"],
      "hooks/webhook.test.ts": [
        "%s is refused when the hook is attached, with the way out",
        "a name that leads there by a detour does not either",
        "a redirect is not followed, and nothing the receiver says is repeated",
      ],
    },
  },
  "query injection": {
    behaviour: "names are quoted by the rule of the kind or refused, values are parameters",
    tests: {
      "buckets/contract.ts": ["hostile name %j as field, tag, value and measurement"],
      "buckets/mongodb.test.ts": [
        "keys that begin with a dollar, and paths that are none, are refused in every place",
      ],
      "buckets/warp10.test.ts": ["of every text a script holds only its percent-encoded form"],
    },
  },
  "template injection": {
    behaviour: "one pass; an unknown placeholder is a 400",
    tests: {
      "core/input/params.test.ts": ["values are never expanded again", "%s is no placeholder"],
      "hooks/mail/index.test.ts": ["values are never expanded again"],
      "hooks/shared/body.test.ts": ["no value ends a text, adds a field, or is filled again"],
      "hooks/webhook.test.ts": [
        "slack: values are text: no mention, no link, no placeholder comes out of them",
      ],
    },
  },
  "mail header injection": {
    behaviour: "no line break of a value begins a header",
    tests: { "hooks/mail/index.test.ts": ["promise of security: no line break of a value begins a header"] },
  },
  "login at the mail server": {
    behaviour:
      "never over a plain connection; the certificate is checked; a file others can read is warned of",
    tests: {
      "hooks/mail/smtp.test.ts": [
        "a login never goes over a plain connection, whatever tls says",
        "an unknown certificate is refused, unless verify is off",
        "a wrong password is for ever, and in no message",
      ],
      "settings/hooks.test.ts": ["one that others can read is named, if there is a password in it"],
    },
  },
  "oversized work": {
    behaviour: "a cap on each thing a request can ask for, named in the error",
    tests: {
      "http/framework/guard.test.ts": [
        "a large body",
        "a large body announced",
        "a large body without length",
        "deep nesting",
      ],
      "resources/shared/range.test.ts": [
        "intervals are those of the aligned range, and capped with the width",
      ],
      "resources/buckets/index.test.ts": [
        "write refuses malformed points by index, too many, and unknown buckets",
      ],
      "net/fetch.test.ts": [
        "answers %d without end: cut at the cap, and the connection closed",
        "sends a small answer that unpacks to a large one",
      ],
      "jobs/queue/queue.test.ts": ["promise 12: a full queue refuses jobs"],
      "store/db/caps.test.ts": ["%s: the last one fits, one more does not"],
      "resources/tokens/index.test.ts": ["there are at most a thousand"],
      "app/services.test.ts": ["promise 24: a body beyond the cap is refused before it has arrived"],
    },
  },
  "regular expressions": {
    behaviour: "only our own, in time that grows with the text and no faster",
    tests: {
      "security/patterns.test.ts": [
        "${name} reads hostile text in no time",
        "patterns are made of our own texts alone; where a client's text becomes part of one, it is escaped",
      ],
    },
  },
  "prototype keys and deep JSON": {
    behaviour: "refused before anything looks at them",
    tests: {
      "http/framework/guard.test.ts": [
        "a prototype key",
        "a prototype key in escapes",
        "no prototype is polluted",
        "deep nesting",
      ],
      "core/input/params.test.ts": [
        "a key named __proto__ or constructor is a parameter like any other: missing unless given",
      ],
    },
  },
  "weights from elsewhere": {
    behaviour: "only ours are read, and only with their checksum",
    tests: { "store/versions.test.ts": ["promise 5: weights that were changed are refused"] },
  },
  "pages of other sites": {
    behaviour: "read nothing and change nothing, unless their origin is named",
    tests: {
      "http/framework/cors.test.ts": [
        "by default nothing is allowed: no header, and a preflight is refused",
        "the page of another site can use nothing, even with a request no browser asks permission for",
        "the page of the documentation runs nothing, and stands in no frame",
        "every answer says not to keep it, not to guess its type, and not to tell where one came from",
      ],
      "http/docs/openapi.test.ts": ["the page shows every operation, runs no script and loads nothing"],
    },
  },
  logs: {
    behaviour: "one line of JSON per event, without control characters, bodies and secrets",
    tests: {
      "telemetry/log.test.ts": ["control characters", "authorization", "passwords in errors", "bodies"],
    },
  },
  "supply chain": {
    behaviour: "few packages, pinned, with checksums; nothing unknown runs when they are installed",
    tests: {
      "security/supply-chain.test.ts": [
        "no dependency runs anything at installation but those that are known",
        "every dependency is pinned to one version, and the lock file says the same",
        "every package has a checksum and a licence",
        "npm run sbom prints a bill of materials that names each of them with its checksum",
      ],
    },
  },
  csvPaths: {
    behaviour: "files of a csv bucket lie below the data root: no links out of it, no devices",
    tests: { "buckets/csv.test.ts": ["paths that lead out of the data root, links and devices are refused"] },
  },
  eavesdropping: {
    behaviour: "HTTPS with the operator's certificate, and nothing else beside it",
    tests: {
      "security/tls.test.ts": [
        "the address is https, the certificate verifies, and plain HTTP is not answered",
        "a bad pair is a start-up error that names the file, exit code 2",
      ],
    },
  },
};

/** Threats of kinds of buckets that there are not yet; each becomes a row above when its kind comes. */
const notYet: Readonly<Record<string, string>> = {
  sqlite: "paths of SQLite files: links out of the data root, writing",
};

/** Whether a text stands in a file as a string of its own: the name of a test, or the title of a row. */
function holdsName(file: string, name: string): boolean {
  const text = readFileSync(join(import.meta.dir, "..", file), "utf8");
  return ['"', "'", "`"].some((quote) => text.includes(`${quote}${name}${quote}`));
}

describe.each(Object.entries(threats))("%s", (_threat, { behaviour, tests }) => {
  test(behaviour, () => {
    expect(Object.keys(tests).length).toBeGreaterThan(0);
    for (const [file, names] of Object.entries(tests))
      for (const name of names) expect([file, name, holdsName(file, name)]).toEqual([file, name, true]);
  });
});

for (const [kind, threat] of Object.entries(notYet))
  test(`not applicable while there is no bucket of kind ${kind} (${threat})`, () => {
    expect(Object.keys(bucketKinds)).not.toContain(kind);
  });

test("no test that is named here is skipped or left to do", () => {
  for (const file of new Set(Object.values(threats).flatMap(({ tests }) => Object.keys(tests)))) {
    const text = readFileSync(join(import.meta.dir, "..", file), "utf8");
    expect([file, /\b(test|describe)\.(todo|only|skip)\b/.test(text)]).toEqual([file, false]);
  }
});
