// Kind `local`: points that clients write and other systems push, stored by this server itself.
import type { BucketKind } from "../kind.ts";
import { openStored, type StoredOptions, storedFiles, storedSettings } from "../stored/index.ts";

/** Builds the kind; the clock and the size limit are parameters. */
export function createLocalKind(options: StoredOptions = {}): BucketKind<typeof storedSettings> {
  return {
    kind: "local",
    description: "Points stored by this server itself, in a file of its data directory",
    settings: storedSettings,
    secrets: [],
    destination: [],
    open: (name, own, context) => openStored(name, own, { ...context, ...options }),
    ...storedFiles,
  };
}

export const local = createLocalKind();
