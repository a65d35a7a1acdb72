// Commands of the bin, and the question before a deletion, on a real server.
import { expect, test } from "bun:test";
import { useSession } from "../session.ts";

const session = useSession();
const yaml = (name: string) =>
  `{name: ${name}, type: donut, default_bucket: b, bucket_interval: 5m, features: [{name: v, metric: avg, field: v}]}`;
const create = (name: string) => session.ok(`create-model ${session.makeFile(`${name}.yml`, yaml(name))}`);
const models = () => session.ok("list-models --quiet");
/** On a terminal, where the question is answered with a key. */
const answering = (line: string, key: string) =>
  session.torus(line, { isTty: true, onKeys: (press) => press(key) });

test("a script is not asked; undo restores what one command has deleted, and says what", async () => {
  await session.ok(`create-bucket ${session.makeFile("b.yml", "{name: b, type: local}")}`);
  for (const name of ["a", "b", "c"]) await create(name);
  const { err } = await session.torus("delete-model a b");
  expect(err).toBe("deleted a, b\n");
  expect(await models()).toBe("c\n");
  expect(await session.ok("undo")).toBe("restored model a\nrestored model b\n");
  expect(await models()).toBe("a\nb\nc\n");
});

test("on a terminal a deletion asks, and a key other than y deletes nothing", async () => {
  for (const key of ["n", "\r", "\u0003"]) {
    const refused = await answering("delete-model a b", key);
    expect(refused).toMatchObject({ code: 1, err: "Delete models a, b? [y/N] no\nnothing was deleted\n" });
  }
  expect(await models()).toBe("a\nb\nc\n");
  expect((await answering("delete-model c", "y")).err).toBe(
    "Delete model c? [y/N] yes\ndeleted c\ntorus undo restores it\n",
  );
  expect((await answering("delete-model b --yes", "n")).err).toBe("deleted b\ntorus undo restores it\n");
  expect(await models()).toBe("a\n");
});

test("an entry is restored by its id, under another name too", async () => {
  const [newest, older] = (await session.json<{ id: string; name: string }[]>("list-bin")).values();
  expect([newest!.name, older!.name]).toEqual(["b", "c"]);
  expect(await session.ok("list-bin")).toMatch(/^ID +KIND +NAME +BY +DELETED .*\n.* model +b +- /);
  expect(await session.ok(`undo ${older!.id} --name d`)).toBe("restored model d\n");
  expect(await models()).toBe("a\nd\n");
  expect(await session.torus(`undo ${older!.id}`)).toMatchObject({ code: 3, out: "" });
});

test("every kind asks by its own noun", async () => {
  const lines = {
    "delete-bucket b": "Delete bucket b?",
    "delete-hook a h": "Delete hook h?",
    "delete-template t": "Delete template t?",
    "delete-calendar c": "Delete calendar c?",
    "delete-scheduled-job j": "Delete scheduled job j?",
    "delete-label a 1": "Delete label 1?",
    "delete-change r-7": "Delete change r-7?",
    "empty-bin": "Delete everything in the bin for good?",
  };
  for (const [line, question] of Object.entries(lines)) {
    const { code, err } = await answering(`${line}`, "n");
    expect([line, code, err.split(" [")[0]]).toEqual([line, 1, question]);
  }
});

test("an emptied bin has nothing to undo", async () => {
  expect((await session.torus("empty-bin")).err).toBe("deleted for good: 1\n");
  expect(await session.torus("undo")).toMatchObject({
    code: 2,
    err: expect.stringContaining("the bin is empty"),
  });
  expect((await session.torus("list-bin")).err).toContain("the bin is empty");
});
