// Command: `npm run test:crash [-- MODE]` kills at every single statement, and counts lost and repeated notifications.
import { countStatements, dieAndComeBack, judgeOutcome } from "./grid.ts";
import { type Mode, modes } from "./life.ts";

/** @returns whether no place had a fault */
async function runGrid(mode: Mode): Promise<boolean> {
  const statements = await countStatements(mode);
  let [kills, lost, repeated] = [0, 0, 0];
  for (let killAt = 1; killAt <= statements; killAt++) {
    const outcome = await dieAndComeBack(killAt, mode);
    // A life that did not come so far has proven nothing.
    if (outcome.killAt > 0) kills++;
    const fault = judgeOutcome(outcome, mode);
    if (fault) {
      lost++;
      console.log(`${mode}, killed at statement ${killAt}: ${fault}`);
    }
    const { delivered } = outcome;
    repeated += delivered.length - new Set(delivered.map(({ key }) => key)).size;
  }
  const counts = `${kills} kills, ${lost} with a fault, ${repeated} notifications delivered again`;
  console.log(`${mode}: ${statements} places, ${counts}`);
  return lost === 0 && kills === statements;
}

let isSound = true;
const [only] = process.argv.slice(2);
for (const mode of modes.filter((each) => only === undefined || each === only))
  isSound = (await runGrid(mode)) && isSound;
process.exit(isSound ? 0 : 1);
