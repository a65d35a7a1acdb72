// Read descriptors of bucket files, shared by backups and kept until the file is removed.
import { closeSync, fstatSync, openSync, statSync } from "node:fs";

interface Kept {
  readonly descriptor: number;
  readonly inode: number;
  users: number;
  removed: boolean;
}

const keptByPath = new Map<string, Kept>();

/** A descriptor on loan. */
export interface Loan {
  readonly descriptor: number;
  /** To be called once. */
  giveBack(): void;
}

/**
 * The descriptor of a bucket's main file. It stays open afterwards: closing it would end the locks of SQLite on the file
 * (fcntl(2)), and another program that looks into the file could then delete its log.
 */
export function borrowDescriptor(path: string): Loan {
  const kept = findKept(path) ?? keep(path);
  kept.users++;
  return {
    descriptor: kept.descriptor,
    giveBack() {
      kept.users--;
      closeUnused(kept);
    },
  };
}

/** To be called when the file is removed: an open descriptor would keep its space on the disk. */
export function dropDescriptor(path: string): void {
  const kept = keptByPath.get(path);
  if (!kept) return;
  keptByPath.delete(path);
  kept.removed = true;
  closeUnused(kept);
}

function findKept(path: string): Kept | undefined {
  if (keptByPath.get(path)?.inode !== statSync(path).ino) dropDescriptor(path);
  return keptByPath.get(path);
}

function keep(path: string): Kept {
  const descriptor = openSync(path, "r");
  const kept = { descriptor, inode: fstatSync(descriptor).ino, users: 0, removed: false };
  keptByPath.set(path, kept);
  return kept;
}

function closeUnused({ users, removed, descriptor }: Kept): void {
  if (removed && users === 0) closeSync(descriptor);
}
