// Command: `npm run test:contract -- --base http://host:port` runs the contract against a server that is already there.
import { parseArgs } from "node:util";

const { values } = parseArgs({ args: process.argv.slice(2), options: { base: { type: "string" } } });
const env = { ...process.env, ...(values.base && { TORUS_CONTRACT_BASE: values.base.replace(/\/$/, "") }) };
const child = Bun.spawn([process.execPath, "test", "test/contract/contract.test.ts"], {
  env,
  stdio: ["inherit", "inherit", "inherit"],
});
process.exit(await child.exited);
