// Command import-csv: what is said is what is stored, previews, refusals before anything is written.
import { expect, test } from "bun:test";
import type { SeriesResult } from "../../../src/cli/client/views.ts";
import { useSession } from "../session.ts";

const session = useSession();
const { makeFile, ok, torus, json } = session;

const hours = Array.from({ length: 48 }, (_, i) => [
  `2024-03-0${4 + Math.floor(i / 24)}`,
  `${String(i % 24).padStart(2, "0")}:00`,
]);

async function stored(bucket: string, field: string): Promise<number> {
  const features = `'count(${field})'`;
  const command = `read-bucket ${bucket} -f 2024-01-01 -t 2025-01-01 -i 366d -F ${features}`;
  const { observed } = await json<SeriesResult>(command);
  return observed[`count_${field}`]!.reduce<number>((sum, count) => sum + (count ?? 0), 0);
}

test("date and time of day in two columns are all stored", async () => {
  const file = makeFile("two.csv", ["Date,Time,v", ...hours.map(([d, t], i) => `${d},${t},${i}`)].join("\n"));
  const { code, err } = await torus(`import-csv ${file} --bucket two`);
  expect([code, err]).toEqual([0, expect.stringContaining("wrote 48 points to two: v\n")]);
  expect(err).toContain("Date+Time: dates, with times of day");
  expect(await stored("two", "v")).toBe(48);
});

test("shops of one time are a series each", async () => {
  const rows = hours.flatMap(([d, t], i) => ["north", "south"].map((shop) => `${d} ${t},${shop},${i}`));
  const file = makeFile("shops.csv", ["time,shop,v", ...rows].join("\n"));
  const answer = await json<{ points: number; tags: string[]; notes: string[] }>(
    `import-csv ${file} --bucket shops`,
  );
  expect(answer).toMatchObject({ points: 96, tags: ["shop"], notes: ["shop: 2 values, a series each"] });
  expect(await stored("shops", "v")).toBe(96);
});

test("a dry run shows columns and the first points, and stores nothing", async () => {
  const file = makeFile("dry.csv", "Datum;Wert;Ort\n31.01.2024;1.000,5;x\n01.02.2024;2,5;x\n");
  const { code, err } = await torus(`import-csv ${file} --bucket dry --dry-run`);
  expect(code).toBe(0);
  expect(err).toMatch(/^Datum +time: dates, the day first$/m);
  expect(err).toMatch(/^Wert +field$/m);
  expect(err).toMatch(/^Ort +left out: text$/m);
  expect(err).toMatch(/^2024-01-31 00:00:00 +1000.5$/m);
  expect(err).toContain("would write 2 points to dry: Wert");
  expect((await torus("show-bucket dry")).code).toBe(3);
});

test("--tz is the zone of local times, too, unless --timezone is another", async () => {
  const file = makeFile("local.csv", "Zeit;Wert\n31.01.2024 08:00;1,5\n31.01.2024 09:00;2,5\n");
  const said = async (options: string) =>
    (await torus(`import-csv ${file} -b zone --dry-run ${options}`)).err;
  const berlin = await said("--tz Europe/Berlin");
  expect(berlin).toContain("from 2024-01-31 08:00:00 to 2024-01-31 09:00:00 Europe/Berlin\n");
  expect(berlin).toContain("times without an offset are read in Europe/Berlin, that of --tz");
  expect(await said("--timezone Europe/Berlin")).toContain(
    "from 2024-01-31 07:00:00 to 2024-01-31 08:00:00 UTC\n",
  );
  expect(await said("--tz Europe/Berlin --timezone UTC")).toContain(
    "from 2024-01-31 09:00:00 to 2024-01-31 10:00:00",
  );
  expect((await said("--tz Mars")).trim()).toStartWith("torus: --tz: Mars is unknown");
});

test("a file is read to its end before anything is written", async () => {
  const rows = Array.from({ length: 50 }, (_, i) => `${1_700_000_000 + 60 * i},${i}`);
  const file = makeFile("bad.csv", ["time,v", ...rows, "1700000000,7"].join("\n"));
  const { code, err } = await torus(`import-csv ${file} --bucket bad --batch-size 10`);
  expect([code, err]).toEqual([2, expect.stringMatching(/^torus: line 52: a second value of v at /)]);
  expect((await torus("show-bucket bad")).code).toBe(3);
  await ok(`import-csv ${file} --bucket bad --on-duplicate last --json`);
  expect(await json(`read-bucket bad -f 2023-11-14 -t 2023-11-15 -i 1d -F 'count(v);min(v)'`)).toMatchObject({
    observed: { count_v: [50], min_v: [1] },
  });
});

test("forecast and detect keep series apart", async () => {
  const rows = hours.flatMap(([d, t], i) => [`${d} ${t},cpu,${i}`, `${d} ${t},mem,${1000 - i}`]);
  const input = ["time,metric,value", ...rows].join("\n");
  const found = JSON.parse((await torus("forecast - --horizon 1 --json", { input })).out);
  expect(found.map(({ series }: { series: string }) => series)).toEqual(["cpu", "mem"]);
});
