// Substitution of `${NAME}` in settings by environment variables.
import { invalid } from "../errors.ts";
import { isRecord } from "./json.ts";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * A copy with `${NAME}` in every text replaced by the variable's value; `$${NAME}` stays `${NAME}`.
 * @throws TorusError `invalid` with the path of the text if a variable is not set
 */
export function substituteEnv<T>(value: T, env: Env): T {
  return replaceIn(value, env, "") as T;
}

function replaceIn(value: unknown, env: Env, path: string): unknown {
  const within = (key: string | number) => (path ? `${path}.${key}` : String(key));
  if (typeof value === "string") return replaceText(value, env, path);
  if (Array.isArray(value)) return value.map((item, index) => replaceIn(item, env, within(index)));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, replaceIn(member, env, within(key))]),
  );
}

function replaceText(text: string, env: Env, path: string): string {
  return text.replace(/(\$?)\$\{([^}]*)\}/g, (whole, dollar: string, name: string) => {
    if (dollar) return whole.slice(1);
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (value === undefined) throw invalid(path, `the environment variable ${name} is not set`);
    return value;
  });
}
