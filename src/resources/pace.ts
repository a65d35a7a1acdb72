// Cooperative yielding for routes that read large bodies; re-exported from runtime.
export { createYielder as createPacer } from "../runtime/pacer.ts";
