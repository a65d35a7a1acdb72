// Layer of an image: a tar archive (POSIX.1-2017 ustar) of entries sorted by path, with the folders above them.
import { TAR_END, tarHeader, tarPadding } from "../../src/core/formats/tar.ts";
import { bytesOf, type Entry, parentsOf } from "./tree.ts";

/** @param releasedAt seconds since the epoch: the time of all entries */
export function packLayer(entries: readonly Entry[], releasedAt: number): Uint8Array<ArrayBuffer> {
  const chunks = withFolders(entries).flatMap((entry) => packEntry(entry, releasedAt));
  return Buffer.concat([...chunks, TAR_END]);
}

/** With the folders that no entry describes, each before what is in it. */
function withFolders(entries: readonly Entry[]): Entry[] {
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  for (const path of entries.flatMap((entry) => parentsOf(entry.path)))
    if (!byPath.has(path)) byPath.set(path, { path, mode: 0o755, content: "folder" });
  return [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function packEntry(entry: Entry, releasedAt: number): Uint8Array[] {
  const { path, mode, content, owner = 0 } = entry;
  const bytes = bytesOf(entry) ?? new Uint8Array();
  const isFolder = content === "folder";
  const header = tarHeader({
    name: `${path.slice(1)}${isFolder ? "/" : ""}`,
    size: bytes.length,
    modifiedAt: releasedAt * 1000,
    mode,
    owner,
    type: isFolder ? "folder" : "file",
  });
  return [header, bytes, new Uint8Array(tarPadding(bytes.length))];
}
