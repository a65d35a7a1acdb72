// Clean roots: a minimal Debian, or the files of an image, and programs started within as their users would.
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { run } from "./sample.ts";

/** Mounts what a container gets, then runs a program as a user: ROOT USER MODE PROGRAM... */
const ENTER = `set -e
root=$1 user=$2 mode=$3
shift 3
mount --bind "$root" "$root"
mkdir -p "$root/proc" "$root/dev"
mount --rbind /proc "$root/proc"
mount --rbind /dev "$root/dev"
if [ "$mode" = read-only ]; then
  mount --bind "$root/data" "$root/data"
  mount -o remount,ro,bind "$root"
fi
exec chroot --userspec="$user" "$root" "$@"`;

export interface Entering {
  readonly root: string;
  /** User and group, by name or id. */
  readonly user: string;
  /** Whether only `/data` can be written. */
  readonly isReadOnly?: boolean;
  /** Emulator of another processor, as a path on this machine. */
  readonly emulator?: string | undefined;
}

/** What runs a program of a root: the words before its path there. */
export function enter({ root, user, isReadOnly = false, emulator }: Entering): string[] {
  if (emulator) copyFileSync(emulator, join(root, "emulator"));
  const mode = isReadOnly ? "read-only" : "writable";
  return [
    "unshare",
    "--mount",
    "sh",
    "-c",
    ENTER,
    "sh",
    root,
    user,
    mode,
    ...(emulator ? ["/emulator"] : []),
  ];
}

/** Runs a command that must succeed. @throws Error with what it wrote */
export async function must(...command: readonly string[]): Promise<string> {
  const { exitCode, output } = await run(...command);
  if (exitCode !== 0)
    throw new Error(`${command.slice(0, 8).join(" ")} ended with ${exitCode}: ${output.trim()}`);
  return output;
}

/** @throws Error naming what should be so */
export function expectThat(isTrue: boolean, what: string): void {
  if (!isTrue) throw new Error(`not so: ${what}`);
}

/** Unpacks a minimal Debian. @param more packages beside those that a .deb of the release needs */
export async function makeDebian(folder: string, suite: string, more: readonly string[] = []): Promise<void> {
  const packages = ["adduser", "init-system-helpers", ...more].join(",");
  await must("mmdebstrap", "--quiet", "--variant=minbase", `--include=${packages}`, suite, folder);
}

/** Unpacks one image of a layout, as a container runtime would. */
export async function unpackImage(
  archive: string,
  { folder, tag }: { folder: string; tag: string },
): Promise<string> {
  const layout = join(folder, "layout");
  const root = join(folder, "root");
  mkdirSync(layout, { recursive: true });
  await must("skopeo", "copy", "--quiet", `docker-archive:${archive}`, `oci:${layout}:${tag}`);
  await must("umoci", "raw", "unpack", "--image", `${layout}:${tag}`, root);
  return root;
}
