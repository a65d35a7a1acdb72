// A small model for whole servers: five hours of minutes in a bucket of its own, learnt in a second.
import type { Client } from "../../src/cli/client/client.ts";
import { aModel } from "./builders.ts";

/** Puts bucket `b`, points of `x` at 0 to 18 000 s, and model `m`, which is not trained yet. */
export async function putSmallModel(client: Client): Promise<void> {
  await client.putBucket({ name: "b", type: "local" });
  const points = Array.from({ length: 300 }, (_, i) => ({ timestamp: i * 60, x: Math.sin(i / 4) }));
  await client.waitForJob(await client.write("b", points));
  await client.createModel(aModel({ span: 12, features: [{ name: "x", metric: "avg", field: "x" }] }));
}
