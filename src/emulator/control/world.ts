import packageJson from "../../../package.json" with { type: "json" };
import { monotonicMilliseconds } from "../../base/clock.js";
import type { world } from "../../contract/control/world.js";
import { isoTime } from "../kernel/clock.js";
import { decryptSecret } from "../kernel/secrets.js";
import { emptyTables, tableNames } from "../kernel/tables.js";
import { conflict } from "../refusal.js";
import { plantDemo } from "../seed/demo.js";
import { plantSeed } from "../seed/seed.js";
import type { World } from "../world.js";
import type { ControlHandlers } from "./handlers.js";

/** Tables that a reset leaves alone: `world` is changed in place, snapshots outlive it. */
const kept = new Set(["world", "snapshots"]);

/** Stored secrets that this file's key does not open: a copy without its FILE.key has them (emulator.md). */
function unreadableSecrets(world: World): number {
  return world.database
    .prepare(
      `SELECT webhook_credential AS secret FROM assistants WHERE webhook_credential IS NOT NULL
       UNION ALL SELECT secret FROM tools WHERE secret IS NOT NULL
       UNION ALL SELECT header.value FROM assistants, json_each(assistants.webhook_headers) AS header WHERE header.value <> ''
       UNION ALL SELECT header.value FROM tools, json_each(tools.headers) AS header WHERE header.value <> ''`,
    )
    .all()
    .filter((row) => decryptSecret(world.options, String(row["secret"])) === undefined).length;
}

export const worldHandlers: ControlHandlers<typeof world> = {
  status: ({ world }) => ({
    version: packageJson.version,
    uptime_seconds: Math.floor((monotonicMilliseconds() - world.openedAt) / 1000),
    db: world.options.path,
    pid: process.pid,
    world_id: world.worldId,
    clock: { mode: world.clock.current, now: isoTime(world.clock.now()) },
    unreadable_secrets: unreadableSecrets(world),
    counts: Object.fromEntries(
      tableNames(world.database).map((table) => [
        table,
        Number(world.database.prepare(`SELECT count(*) AS n FROM "${table}"`).get()?.["n"]),
      ]),
    ),
  }),
  stop: ({ stopServer }) => {
    if (stopServer === undefined)
      throw conflict("emulator.control", "this world has no server that can be stopped from outside");
    stopServer();
    return { stopping: true };
  },
  reset: ({ world, startLine }, { body }) => {
    world.database.transaction(() => {
      const emptied = tableNames(world.database).filter((table) => !kept.has(table));
      emptyTables(world.database, emptied);
      world.database
        .prepare("UPDATE world SET world_id = ?, key_generation = key_generation + ?")
        .run(world.options.random.bytes(12).toString("hex"), body.new_keys ? 1 : 0);
      world.reload();
      plantSeed(world, body.seed === "demo" ? plantDemo : undefined);
    });
    return startLine();
  },
};
