// systemd unit of the packages: deploy/torus.service with the user and the paths of the manifest.
import { manifest } from "./manifest.ts";

/** @throws Error naming a line that deploy/torus.service no longer has */
export function renderUnit(unit: string): string {
  const { name } = manifest.user;
  const changes: readonly (readonly [from: string, to: string])[] = [
    ["/usr/local/bin/torus", manifest.paths.binary],
    ["Documentation=", `Documentation=man:${manifest.name}(1) `],
    ["DynamicUser=yes", `User=${name}\nGroup=${name}`],
    ["EnvironmentFile=", `Environment=TORUS_CONFIG=${manifest.paths.settings}\nEnvironmentFile=`],
  ];
  // The head tells how to install it by hand.
  let text = unit.slice(unit.indexOf("[Unit]"));
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`deploy/torus.service has no ${from}`);
    text = text.replace(from, to);
  }
  return text;
}
