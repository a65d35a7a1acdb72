// Commands of recorded changes.
import { expect, setDefaultTimeout, test } from "bun:test";
import { useSession } from "../session.ts";

setDefaultTimeout(60_000);
const { torus, ok, json } = useSession();

test("change, list-changes, delete-change", async () => {
  const tags = "--tag service=web --tag environment=production";
  expect(await ok(`change web-1.9.2 ${tags} --at now-5m --id r-7`)).toBe("");
  await ok("change dark --kind flag --url https://ci.example.org/7");
  expect(await ok("list-changes")).toMatch(
    / flag +dark +\S+\n.* deploy +web-1\.9\.2 +service=web, environment=production +r-7\n$/,
  );
  expect(await json<unknown[]>("list-changes --kind deploy --tags service=web --from now-1h")).toHaveLength(
    1,
  );
  expect(await json("list-changes --tags service=db")).toEqual([]);
  await ok("change again --id r-7");
  expect(await json("list-changes --page 0")).toMatchObject([{ id: "r-7", title: "again", tags: {} }, {}]);
  await ok("delete-change r-7");
  expect((await torus("delete-change r-7")).err).toContain("there is no change r-7");
});

test("mistakes name the option or the field", async () => {
  expect((await torus("change web --tag web")).err).toContain("--tag: must be tags and values");
  expect((await torus("change web --tag a=b --tag a=c")).err).toContain("--tag: has two values of a");
  for (const command of ["list-changes", "related --from now-1h", "capacity", "budget"])
    expect((await torus(`${command} --tags web`)).err).toContain("--tags: must be tags and values");
  expect((await torus("change web --kind ?")).err).toContain("kind: must be a word");
});

test("find-changes records new versions once, and lists them", async () => {
  await ok("create-bucket -", { input: "name: builds\ntype: local\n" });
  const minute = Math.floor(Date.now() / 60_000) * 60;
  const rows = Array.from({ length: 30 }, (_, i) => `${minute - (30 - i) * 60},web,${i < 20 ? 1 : 2},1`);
  const csv = ["time,service,version,build_info", ...rows].join("\n");
  await ok("import-csv - --bucket builds --columns build_info --tag-columns service,version", { input: csv });
  const command = "find-changes builds --field build_info --by service --label version";
  for (let i = 0; i < 2; i++)
    expect(await ok(command)).toMatch(/ deploy +web: version 1 -> 2 +service=web +found-[0-9a-f]{32}\n$/);
  expect(await json<unknown[]>("list-changes --tags service=web --kind deploy --from now-1h")).toHaveLength(
    1,
  );
  expect((await torus("find-changes builds --by service")).err).toContain("feature.field: is required");
});
