// Command: `npm run test:fuzz` sends 300 amplifying messages of 60 MB to a server; `-- 1000 7` for as many from a seed on.
import { temporaryFolder } from "../support/folder.ts";
import { fuzz } from "./fuzz.ts";

const MAX_GROWTH_MB = 300;
/** Answers of `/livez` for each message, on average. */
const MIN_ANSWERS = 3;
const [count = 300, first = 0] = process.argv.slice(2).map(Number);

const seeds = Array.from({ length: count }, (_, i) => first + i);
const sent = await fuzz({
  dataDir: temporaryFolder(),
  seeds,
  bytes: 60_000_000,
  onSent: ({ name, status, grownMb, answers, longestMs }) =>
    console.log(
      `${status} +${grownMb.toFixed(0)} MB, /livez ${answers} times, at most ${longestMs.toFixed(0)} ms: ${name}`,
    ),
});
const failed = sent.filter(({ status, grownMb }) => status === 500 || grownMb > MAX_GROWTH_MB);
const answers = sent.reduce((sum, each) => sum + each.answers, 0);
for (const { name, status, grownMb } of failed)
  console.log(`FAILED: ${status} +${grownMb.toFixed(0)} MB: ${name}`);
console.log(`${sent.length} messages, ${failed.length} failed, /livez answered ${answers} times`);
process.exit(failed.length === 0 && answers >= MIN_ANSWERS * sent.length ? 0 : 1);
