// How every Elysia instance of this service is configured.
import { Elysia } from "elysia";

/**
 * A fresh instance. `normalize: false`: nothing a client sent is dropped. `standardHostname`: where in an address the
 * framework begins to look for the path. False is right behind `http://`, also for hosts shorter than four letters;
 * behind `https://` it takes the host for the path, so that there it must be true. `gcTime: null`: no timer of its own.
 * @param tls whether addresses begin with `https://`; of an application, only its outermost instance is asked
 */
export function createInstance({ tls = false } = {}) {
  return new Elysia({
    normalize: false,
    handler: { standardHostname: tls },
    sucrose: { gcTime: null },
  });
}
