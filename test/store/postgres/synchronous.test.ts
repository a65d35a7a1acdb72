// Whether commits wait for a standby, asked of a real pair by users with and without the right to see it.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Connection } from "../../../src/store/postgres/connection.ts";
import { isSynchronous } from "../../../src/store/postgres/nodes.ts";
import { owner, postgresMissing } from "../../support/postgres.ts";
import { type PostgresPair, startPostgresPair } from "../../support/postgres-pair.ts";
import { isServerRequired } from "../../support/spawned.ts";

if (postgresMissing) console.log(postgresMissing);

describe.skipIf(postgresMissing !== undefined && !isServerRequired)(
  "a primary with a synchronous standby",
  () => {
    let pair: PostgresPair;
    let admin: Connection;
    const connect = (user: string, password: string) =>
      Connection.open(`postgres://${user}:${password}@${pair.primary}/postgres`, "public");

    beforeAll(async () => {
      pair = await startPostgresPair();
      admin = await connect(owner.user, owner.password);
    }, 180_000);
    afterAll(async () => {
      await admin?.close();
      await pair?.stop();
    });

    test("commits wait for it, unless the session or the server does not ask for that", async () => {
      expect(await isSynchronous(admin)).toBe(true);
      await admin.run("set synchronous_commit = local");
      expect(await isSynchronous(admin)).toBe(false);
      await admin.run("reset synchronous_commit");
    });

    test("a user without the right does not know, and knows with it", async () => {
      await admin.run("create role guest login password 'guest-pw'");
      const guest = await connect("guest", "guest-pw");
      try {
        expect(await isSynchronous(guest)).toBeUndefined();
        await admin.run("grant pg_read_all_stats to guest");
        expect(await isSynchronous(guest)).toBe(true);
      } finally {
        await guest.close();
      }
    });

    test("without standbys in the settings everyone knows", async () => {
      await admin.run("create role other login password 'other-pw'");
      await admin.run("alter system set synchronous_standby_names = ''");
      await admin.run("select pg_reload_conf()");
      const other = await connect("other", "other-pw");
      try {
        while ((await isSynchronous(other)) !== false) await Bun.sleep(20);
      } finally {
        await other.close();
      }
    });
  },
);
