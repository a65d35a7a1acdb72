// Command: `npm run test:soak:page -- MINUTES` keeps the dashboard open for an hour of events; its heap stays level.
import { rm } from "node:fs/promises";
import { makeWorld, nameOf } from "../bench/live-world.ts";
import { launchBrowser } from "../support/browser.ts";
import { temporaryFolder } from "../support/folder.ts";
import { startServer } from "../support/server-process.ts";
import { soakPage } from "./page.ts";
import { growthOf } from "./soak.ts";

const minutes = Number(process.argv[2] ?? 60);
const MODELS = 50;
const EVENTS_PER_S = 20;
/** Greatest heap after an hour, MiB: the budget of the dashboard. */
const MAX_MIB = 40;
/** Growth of the later minutes over the earlier ones, MiB. */
const LEVEL_MIB = 2;

const dataDir = temporaryFolder();
await makeWorld(dataDir, { models: MODELS, intervalS: 60, span: 24 });
const server = await startServer({ dataDir });
await fetch(`${server.url}/models/${nameOf(0)}/_start?detect_anomalies=true`, { method: "POST" });
const browser = await launchBrowser();
const model = `#/models/${nameOf(0)}`;
const screens = [
  "#/models",
  `${model}?range=1d`,
  `${model}/tune`,
  "#/anomalies",
  "#/jobs",
  `${model}/settings`,
];
const onHeap = (minute: number, heap: number) => console.log(`minute ${minute}: ${heap.toFixed(2)} MiB`);
const plan = { seconds: minutes * 60, eventsPerS: EVENTS_PER_S, screens, onHeap };
const { heapMib, events } = await soakPage(browser, server.url, plan);
await browser.close();
await server.stop();
await rm(dataDir, { recursive: true });
const growth = growthOf({ residentMb: heapMib });
const [start, end] = [heapMib[0]!, heapMib.at(-1)!];
console.log(
  `${events} events in ${minutes} min: heap ${start.toFixed(2)} MiB at the start, ${end.toFixed(2)} at the end, ` +
    `growth after the warm-up ${growth.toFixed(2)} (at most ${LEVEL_MIB})`,
);
process.exit(end <= MAX_MIB && growth <= LEVEL_MIB ? 0 : 1);
