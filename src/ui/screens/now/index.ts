// The first screen in one file of the bundle.

import "../../shared-screens.ts";

export { Now } from "./now.tsx";
