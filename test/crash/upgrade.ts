// Entry point: migrates the database of a data directory and kills itself at a statement.
// Usage: bun upgrade.ts DIR KILL_AT; KILL_AT 0 = never. Prints the number of statements it got to.
import { openStore } from "../../src/store/db/open.ts";
import { wireStatements } from "./statements.ts";

const [dir = "", killAt = "0"] = process.argv.slice(2);
let statements = 0;
wireStatements(() => {
  statements++;
  if (statements === Number(killAt)) process.kill(process.pid, "SIGKILL");
});
openStore({ dir }).close();
console.log(statements);
