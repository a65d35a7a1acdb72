// Brings the generated blocks of README.md up to date: bun test/docs/readme.ts
import { join } from "node:path";
import { updateBlocks } from "./blocks.ts";

const file = Bun.file(join(import.meta.dir, "../../README.md"));
await file.write(updateBlocks(await file.text()));
