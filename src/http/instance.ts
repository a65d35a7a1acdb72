// How every Elysia instance of this service is configured.
import { Elysia } from "elysia";

/**
 * A fresh instance. `normalize: false`: nothing a client sent is dropped. `standardHostname: false`: hosts shorter
 * than four letters would otherwise be taken for part of the path. `gcTime: null`: no timer of its own.
 */
export function createInstance() {
  return new Elysia({
    normalize: false,
    handler: { standardHostname: false },
    sucrose: { gcTime: null },
  });
}
