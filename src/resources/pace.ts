// Long work in small steps, as data sources do it; routes that read large bodies share it.
export { createYielder as createPacer } from "../runtime/pacer.ts";
