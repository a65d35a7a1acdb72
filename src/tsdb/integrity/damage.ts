// Damaged files of buckets, as readiness shows them: until the file is removed, back, or the process starts anew.
import { statSync } from "node:fs";
import { dirname } from "node:path";

interface Damage {
  readonly bucket: string;
  readonly reason: string;
  /** Whether the file was gone or empty: it may come back. */
  readonly isGone: boolean;
}

const byPath = new Map<string, Damage>();

export function noteDamage(path: string, damage: Damage): void {
  byPath.set(path, damage);
}

export function forgetDamage(path: string): void {
  byPath.delete(path);
}

/** The damaged buckets of a data directory. */
export function listDamage(dataDir: string): readonly Damage[] {
  const found: Damage[] = [];
  for (const [path, damage] of byPath) {
    if (damage.isGone && !isGone(path)) forgetDamage(path);
    else if (dirname(dirname(path)) === dataDir) found.push(damage);
  }
  return found;
}

/** Whether a file is not there, or has no bytes. */
export function isGone(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0;
}
