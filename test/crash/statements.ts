// Intercepts every SQLite statement of this process, so that a test can kill it at a chosen one.
import { Database, type Statement } from "bun:sqlite";

/**
 * From now on `pulse` is called before every statement runs; of a transaction also right after its BEGIN and right
 * before its COMMIT. Statements that were prepared before are not heard.
 */
export function wireStatements(pulse: () => void): void {
  const transaction = Database.prototype.transaction;
  Database.prototype.transaction = function (this: Database, work: (...values: unknown[]) => unknown) {
    return transaction.call(this, (...values: unknown[]) => {
      pulse();
      const result = work(...values);
      pulse();
      return result;
    });
  } as typeof transaction;
  for (const name of ["prepare", "query"] as const) {
    const original = Database.prototype[name] as (...values: unknown[]) => Statement;
    Object.defineProperty(Database.prototype, name, {
      value: function (this: Database, ...values: unknown[]) {
        return wireStatement(original.apply(this, values), pulse);
      },
    });
  }
  const run = Database.prototype.run;
  Database.prototype.run = function (this: Database, ...values: Parameters<typeof run>) {
    pulse();
    return run.apply(this, values);
  } as typeof run;
}

const wired = new WeakSet<Statement>();

/** The methods of a statement are its own, not its prototype's. */
function wireStatement(statement: Statement, pulse: () => void): Statement {
  if (wired.has(statement)) return statement;
  wired.add(statement);
  for (const name of ["run", "get", "all", "values"] as const) {
    const original = statement[name] as (...values: unknown[]) => unknown;
    Object.defineProperty(statement, name, {
      value: (...values: unknown[]) => {
        pulse();
        return original.apply(statement, values);
      },
    });
  }
  return statement;
}
