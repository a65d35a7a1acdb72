// Command: `npm run test:crash` kills at every single statement, and counts lost and repeated notifications.
import { countStatements, dieAndComeBack, judgeOutcome, type Mode } from "./grid.ts";

/** @returns whether no place had a fault */
async function runGrid(mode: Mode): Promise<boolean> {
  const statements = await countStatements(mode);
  const usual = mode === "grouped" ? 1 : 2;
  let [kills, lost, repeated] = [0, 0, 0];
  for (let killAt = 1; killAt <= statements; killAt++) {
    const outcome = await dieAndComeBack(killAt, mode);
    // A life that did not come so far has proven nothing.
    if (outcome.killAt > 0) kills++;
    const fault = judgeOutcome(outcome);
    if (fault) {
      lost++;
      console.log(`${mode}, killed at statement ${killAt}: ${fault}`);
    }
    repeated += Math.max(0, outcome.delivered.length - usual);
  }
  const counts = `${kills} kills, ${lost} with a fault, ${repeated} notifications delivered again`;
  console.log(`${mode}: ${statements} places, ${counts}`);
  return lost === 0 && kills === statements;
}

const isSound = (await runGrid("single")) && (await runGrid("grouped"));
process.exit(isSound ? 0 : 1);
