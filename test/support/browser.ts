// A real browser for tests of the dashboard: Chromium of the system, its headless shell where there is one.
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { temporaryFolder } from "./folder.ts";

const places = [
  process.env.CHROMIUM,
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];
const found = places.find((path) => path !== undefined && existsSync(path));

/** Why there is none; undefined if there is one. */
export const browserMissing = found ? undefined : "chromium is not installed; tests in a browser are skipped";

/** Of several lists of features only the last counts, so that this one holds those that Playwright turns off, too. */
const featuresOff = [
  ...["AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades"],
  ...["HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding"],
  ...["ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints"],
  ...["NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch"],
  // Lists below the address bar, in processes of their own for each window, which nobody sees.
  ...["WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup"],
  // A process in reserve for each window.
  "SpareRendererForSitePerProcess",
];
const flags = [
  // Containers and root have no sandbox; the pages are our own.
  "--no-sandbox",
  "--disable-gpu",
  "--disable-site-isolation-trials",
  `--disable-features=${featuresOff.join(",")}`,
];

/** @throws Error if there is none */
export async function launchBrowser(): Promise<Browser> {
  if (!found) throw new Error(browserMissing);
  const env = { ...(process.env as Record<string, string>), TMPDIR: temporaryFolder() };
  return chromium.launch({ executablePath: found, args: flags, env });
}
