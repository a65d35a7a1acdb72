// ClickHouse engine in a process of its own, for one statement: rows as JSONCompactEachRow. Loaded into the process of all
// tests it handles the signals of these, and ends on them. Arguments: an empty folder, the statement.
import { createRequire } from "node:module";

const { Session } = createRequire(import.meta.url)("chdb") as typeof import("chdb");
const [folder, statement] = Bun.argv.slice(2);
const session = new Session(folder!);
process.stdout.write(session.query(statement!, "JSONCompactEachRow"));
session.close();
