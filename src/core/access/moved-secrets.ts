// Protects stored secrets: a changed destination does not receive them, they must be given again.
import type { TObject } from "@sinclair/typebox";
import { invalid } from "../errors.ts";

type Settings = Readonly<Record<string, unknown>>;

interface SettingsChange {
  readonly old: Settings;
  /** `old` as clients see it: without secrets and credentials in addresses. */
  readonly shown: Settings;
  /** The settings of the request. */
  readonly sent: Settings;
  readonly next: Settings;
  /** `next` as clients see it. */
  readonly nextShown: Settings;
}

interface DestinationRule {
  /** Keys that decide where secrets are sent and how they are protected in transit. */
  readonly destination: readonly string[];
  /** Schema of the settings, with the defaults of absent keys. */
  readonly schema: TObject;
  /** Prefix of paths in messages; ends with a dot unless empty. */
  readonly path?: string;
}

/**
 * Refuses a changed destination while a stored secret would be sent there. Dropping the secret silently would only
 * show later, as a failed login.
 * @throws TorusError `invalid` naming a secret that must be given again
 */
export function assertSecretsStay(
  { old, shown, sent, next, nextShown }: SettingsChange,
  { destination, schema, path = "" }: DestinationRule,
): void {
  const read = (settings: Settings, key: string) =>
    settings[key] === "" ? undefined : (settings[key] ?? schema.properties[key]?.default);
  const moved = destination.find((key) => !Bun.deepEquals(read(shown, key), read(nextShown, key)));
  if (moved === undefined) return;
  const isGiven = (key: string) => Object.hasOwn(sent, key) && !isShown(key, sent, shown);
  const kept = Object.keys(old).find(
    (key) => old[key] && !isShown(key, old, shown) && isShown(key, next, old) && !isGiven(key),
  );
  if (kept === undefined) return;
  throw invalid(
    `${path}${kept}`,
    `must be given again: ${moved} changes where it is sent, and a stored secret does not go to another place`,
  );
}

/** Whether the value equals that of `other`. */
function isShown(key: string, settings: Settings, other: Settings): boolean {
  return Object.hasOwn(other, key) && Bun.deepEquals(settings[key], other[key]);
}
