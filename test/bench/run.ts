// npm run bench: runs the parts of the benchmark, or some; prints tables, and a line of JSON for programs.
import { parseArgs } from "node:util";
import { describeMachine } from "./machine.ts";
import { type Part, type Report, type Result, show } from "./part.ts";
import { parts } from "./parts.ts";

const usage = `npm run bench [-- PART ...] [--json FILE]    parts that are not run stay in FILE as they were

parts: ${parts.map(({ name }) => name).join(", ")}; without any, all of them`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "string" }, help: { type: "boolean", short: "h" } },
});
const unknown = positionals.filter((name) => !parts.some((part) => part.name === name));
if (values.help || unknown.length > 0) {
  if (unknown.length > 0) console.error(`no part ${unknown.join(", ")}`);
  console.log(usage);
  process.exit(unknown.length > 0 ? 2 : 0);
}
const chosen = parts.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const machine = await describeMachine();
console.log(
  Object.entries(machine)
    .map(([name, value]) => `${name} ${value}`)
    .join("; "),
);
const results: Result[] = [];
for (const part of chosen) results.push(await measure(part));
if (values.json) await record({ machine, results }, values.json);
else console.log(`\n${JSON.stringify({ machine, results })}`);
process.exit(0);

/** The file keeps its results of parts that were not run. */
async function record(report: Report, path: string): Promise<void> {
  const file = Bun.file(path);
  const before: Report | undefined = (await file.exists()) ? await file.json() : undefined;
  const known = [...report.results, ...(before?.results ?? [])];
  const all = parts.flatMap(({ name }) => known.find((result) => result.name === name) ?? []);
  await Bun.write(path, `${JSON.stringify({ machine: report.machine, results: all }, undefined, 1)}\n`);
}

/** Each part has the machine to itself. */
async function measure({ name, title, run }: Part): Promise<Result> {
  const rows = await run();
  show(title, rows);
  return { name, title, rows };
}
