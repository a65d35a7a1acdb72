// External address: that of the settings first, one that is stored is kept, and another node sees it in time.
import { expect, test } from "bun:test";
import { ExternalUrl } from "../../../src/resources/server/external-url.ts";
import { useStore } from "../../store/temporary.ts";

const store = useStore();
let nowAt = 0;
const clock = { now: () => nowAt };
const open = async () => {
  const made = new ExternalUrl({ store, clock });
  await made.load();
  return made;
};

test("a stored address is there after a restart, without its slash, until it is removed", async () => {
  const url = await open();
  expect(url.valueBeside(undefined)).toBeUndefined();
  await url.put({ url: "https://a.example/torus/" }, undefined);
  expect((await open()).valueBeside(undefined)).toBe("https://a.example/torus");
  await url.put({ url: null }, undefined);
  expect((await open()).valueBeside(undefined)).toBeUndefined();
});

test("that of the settings is in force, and refuses another one", async () => {
  const url = await open();
  await url.put({ url: "https://stored.example" }, undefined);
  expect(url.valueBeside("https://set.example")).toBe("https://set.example");
  await expect(url.put({ url: "https://b.example" }, "https://set.example")).rejects.toThrow(
    "server.external_url of the settings is in force",
  );
});

test("another node sees it a minute later at the latest", async () => {
  const [one, other] = [await open(), await open()];
  await one.put({ url: "https://a.example" }, undefined);
  expect(other.valueBeside(undefined)).toBeUndefined();
  nowAt += 61_000;
  other.valueBeside(undefined);
  await other.load();
  expect(other.valueBeside(undefined)).toBe("https://a.example");
});

test.each([
  [undefined],
  [{}],
  [{ url: 5 }],
  [{ url: "" }],
  [{ url: "torus.example" }],
  [{ url: "javascript:alert(1)" }],
  [{ url: "https://a.example?x=1" }],
  [{ url: "https://me:pw@a.example" }],
  [{ url: `https://${"a".repeat(1100)}` }],
])("%j is refused with the rule", async (body) => {
  await expect((await open()).put(body, undefined)).rejects.toThrow("url: must be an address");
});
