// Read descriptors of bucket files, shared by backups and kept open until the file is removed.
import { closeSync, fstatSync, openSync, statSync } from "node:fs";

interface OpenDescriptor {
  readonly descriptor: number;
  readonly inode: number;
  users: number;
  removed: boolean;
}

const openByPath = new Map<string, OpenDescriptor>();

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
  const opened = findOpen(path) ?? open(path);
  opened.users++;
  return {
    descriptor: opened.descriptor,
    giveBack() {
      opened.users--;
      closeUnused(opened);
    },
  };
}

/** To be called when the file is removed: an open descriptor would keep its space on the disk. */
export function dropDescriptor(path: string): void {
  const opened = openByPath.get(path);
  if (!opened) return;
  openByPath.delete(path);
  opened.removed = true;
  closeUnused(opened);
}

function findOpen(path: string): OpenDescriptor | undefined {
  if (openByPath.get(path)?.inode !== statSync(path).ino) dropDescriptor(path);
  return openByPath.get(path);
}

function open(path: string): OpenDescriptor {
  const descriptor = openSync(path, "r");
  const opened = { descriptor, inode: fstatSync(descriptor).ino, users: 0, removed: false };
  openByPath.set(path, opened);
  return opened;
}

function closeUnused({ users, removed, descriptor }: OpenDescriptor): void {
  if (removed && users === 0) closeSync(descriptor);
}
