// Storage engine of `local` buckets: opening, reading, writing and removing bucket files. Format: README.md.

export { binFileOf, listPutAway, putAway, putBack, removePutAway, sizeOfFile } from "./bin.ts";
export { type BucketFile, openBucketFile } from "./bucket-file.ts";
export { fileNameOf, pathOf, removeFiles } from "./file.ts";
export { checkFile, type FileCheck } from "./integrity/check.ts";
export { forgetDamage, isGone, listDamage, noteDamage } from "./integrity/damage.ts";
export { readGrid } from "./read.ts";
export { readGroups } from "./read-groups.ts";
export { listMetadata } from "./samples/metadata.ts";
export { visitFields } from "./samples/visit-fields.ts";
export type { FileSnapshot } from "./scan.ts";
export { takeSnapshot } from "./snapshot.ts";
