// Stored secrets and the settings that say where they are sent: a new destination gets none of them.
import type { TObject } from "@sinclair/typebox";
import { invalid } from "../errors.ts";

type Settings = Readonly<Record<string, unknown>>;

export interface SettingsChange {
  readonly old: Settings;
  /** `old` as clients see it: without secrets, and without credentials in addresses. */
  readonly shown: Settings;
  /** What the client sent. */
  readonly sent: Settings;
  readonly next: Settings;
  /** `next` as clients see it. */
  readonly nextShown: Settings;
}

export interface DestinationRule {
  /** Keys that say where secrets are sent, and how well they are protected on the way. */
  readonly destination: readonly string[];
  /** Of the settings; its defaults stand for what is absent. */
  readonly schema: TObject;
  /** Of the settings, for messages; ends with a dot where it is not empty. */
  readonly path?: string;
}

/**
 * Refuses a new destination as long as a stored secret would go there. Dropping the secret in silence would show much
 * later, as a login that fails.
 * @throws TorusError `invalid` naming a secret that must be given again
 */
export function refuseMovedSecrets(
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

/** Whether the value is just what `other` has. */
function isShown(key: string, settings: Settings, other: Settings): boolean {
  return Object.hasOwn(other, key) && Bun.deepEquals(settings[key], other[key]);
}
