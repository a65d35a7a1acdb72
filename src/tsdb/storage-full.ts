// Error of a full disk, as the database and the journals of a bucket report it.
import { TorusError } from "../core/errors.ts";

export function storageFull(): TorusError {
  return new TorusError("storage_full", "the disk is full; free some space, nothing was written");
}
