// Notices of the software in the program: its own licence, the runtimes with their parts, every bundled package.
import { type BundledPackage, listBundled, readPackage } from "./bundled.ts";
import { readLicense, readText } from "./texts.ts";

const RULE = "-".repeat(80);
/** Holds Bun's page on its licence and those of the libraries linked into it; the package of Bun holds none. */
const BUN_LICENSES = "node_modules/bun-types/docs/project/license.mdx";
const RUNTIMES = { bun: "node_modules/bun", onnx: "node_modules/onnxruntime-web" } as const;

/** Packages with the same text. */
interface Notice {
  readonly packages: readonly BundledPackage[];
  readonly text: string;
}

/**
 * Collects the notices from the installed packages.
 * @throws Error naming the bundled packages without a licence text
 */
export async function collectNotices(): Promise<string> {
  const bundled = await listBundled();
  const found = await Promise.all(bundled.map(async (one) => ({ one, text: await readLicense(one) })));
  const missing = found.filter(({ text }) => text === undefined).map(({ one }) => one.name);
  if (missing.length > 0) throw new Error(`no licence text for ${missing.join(", ")}`);
  const byText = Map.groupBy(found, ({ text }) => text!);
  const notices = [...byText].map(([text, list]): Notice => ({ text, packages: list.map(({ one }) => one) }));
  return [
    await readText("LICENSE"),
    "Torus includes the following software, each part under its own licence.",
    await describeBun(),
    await describeOnnx(),
    ...notices.map(({ packages, text }) => renderPart(packages.map(titleOf).join("\n"), text)),
    "",
  ].join("\n\n");
}

const titleOf = ({ name, version, license }: BundledPackage) => `${name} ${version} (${license})`;
const renderPart = (title: string, text: string) => `${RULE}\n${title}\n${RULE}\n\n${text}`;

async function describeBun(): Promise<string> {
  const runtime = await readPackage(RUNTIMES.bun);
  const page = await readText(BUN_LICENSES);
  // The table is padded to the width of its longest address.
  const text = page
    .replace(/^---\n(?:.*\n)+?---\n+/, "")
    .replace(/ {2,}\||-{4,}/g, (cells) => (cells.endsWith("|") ? " |" : "---"));
  const where = [
    "Full texts of the LGPL: https://www.gnu.org/licenses/old-licenses/lgpl-2.0.html and lgpl-2.1.html; on Debian",
    "/usr/share/common-licenses/LGPL-2 and LGPL-2.1. Licences of the other libraries are in the repositories named above;",
    `sources of Bun: https://github.com/oven-sh/bun/tree/bun-v${runtime.version}`,
  ];
  return renderPart(
    `Bun ${runtime.version}, the runtime (MIT AND LGPL-2.0-only AND others)`,
    `${text}\n\n${where.join("\n")}`,
  );
}

async function describeOnnx(): Promise<string> {
  const { version } = await readPackage(RUNTIMES.onnx);
  const text = [
    "ort-wasm-simd-threaded.wasm and its loader, of the package onnxruntime-web. Notices of the libraries in it:",
    `https://github.com/microsoft/onnxruntime/blob/v${version}/ThirdPartyNotices.txt`,
  ];
  return renderPart(`ONNX Runtime ${version}, the compute runtime (MIT)`, text.join("\n"));
}
