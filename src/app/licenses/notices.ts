// Notices of the software in the program: its own licence, the runtimes with their parts, every bundled package.
import { type BundledPackage, listBundled } from "./bundled.ts";
import { describeBun, describeOnnx, readPartLicenses, runtimes } from "./runtimes.ts";
import { readLicense, readText } from "./texts.ts";

const RULE = "-".repeat(80);

/**
 * Collects the notices from the installed packages.
 * @throws Error naming the bundled packages, or the licences of parts, without a text
 */
export async function collectNotices(): Promise<string> {
  const bundled = await listBundled();
  const found = await Promise.all(bundled.map(async (one) => ({ one, text: await readLicense(one) })));
  const missing = found.filter(({ text }) => text === undefined).map(({ one }) => one.name);
  if (missing.length > 0) throw new Error(`no licence text for ${missing.join(", ")}`);
  const byText = Map.groupBy(found, ({ text }) => text!);
  const notices = [...byText].map(([text, list]) => ({
    title: list.map(({ one }) => titleOf(one)).join("\n"),
    text,
  }));
  const licenses = await readPartLicenses(runtimes.flatMap(({ parts }) => parts));
  return [
    await readText("LICENSE"),
    "Torus includes the following software, each part under its own licence.",
    ...[await describeBun(), await describeOnnx(), ...licenses, ...notices].map(renderSection),
    "",
  ].join("\n\n");
}

const titleOf = ({ name, version, license }: BundledPackage) => `${name} ${version} (${license})`;
const renderSection = ({ title, text }: { readonly title: string; readonly text: string }) =>
  `${RULE}\n${title}\n${RULE}\n\n${text}`;
