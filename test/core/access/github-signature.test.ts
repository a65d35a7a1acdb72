// Signatures of GitHub's webhooks.
import { expect, test } from "bun:test";
import { isSignedByGithub } from "../../../src/core/access/github-signature.ts";

/** The values that GitHub Docs gives for tests of an implementation. */
const secret = "It's a Secret to Everybody";
const body = "Hello, World!";
const signature = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";

test("the signature of the documentation is right, and no other", () => {
  expect(isSignedByGithub(body, signature, secret)).toBe(true);
  for (const [text, header, key] of [
    ["Hello, World?", signature, secret],
    [body, signature, "another"],
    [body, signature.slice(0, -1), secret],
    [body, signature.slice("sha256=".length), secret],
    [body, "", secret],
    [body, null, secret],
  ] as const)
    expect(isSignedByGithub(text, header, key)).toBe(false);
});
