// Check of the files of buckets in a data directory: all their points are read, beside a running server as well.
import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { CheckedBucket } from "../cli/command/command.ts";
import { listKnownBuckets } from "../store/known-buckets.ts";
import { checkFile, fileNameOf } from "../tsdb/index.ts";

/** @returns one entry per file, and per bucket whose file is gone; by name */
export function checkBuckets(dataDir: string): readonly CheckedBucket[] {
  const known = new Map(
    listKnownBuckets(dataDir).map((bucket) => [basename(fileNameOf(bucket.name)), bucket]),
  );
  const folder = join(dataDir, "buckets");
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith(".db")) : [];
  const checked = files.map((file) => ({
    bucket: known.get(file)?.name ?? file,
    ...checkFile(join(folder, file)),
  }));
  const gone = [...known]
    .filter(([file, { hasPoints }]) => hasPoints && !files.includes(file))
    .map(([, { name }]) => ({
      bucket: name,
      blocks: 0,
      unchecked: 0,
      pending: 0,
      damage: ["the file of its points is gone"],
    }));
  return [...checked, ...gone].sort((a, b) => (a.bucket < b.bucket ? -1 : 1));
}
