import packageJson from "../../../package.json" with { type: "json" };
import { monotonicMilliseconds } from "../../base/clock.js";
import type { emulator } from "../../contract/control/emulator.js";
import type { EmulatorState } from "../emulator-state.js";
import { isoTime } from "../kernel/clock.js";
import { decryptSecret } from "../kernel/secrets.js";
import { emptyTables, listTableNames } from "../kernel/tables.js";
import { conflict } from "../refusal.js";
import { loadDemo } from "../resources.js";
import { plantSeed } from "../seed/seed.js";
import type { ControlHandlers } from "./handlers.js";

/** A reset updates the settings table and keeps all snapshots. */
const preservedTables = new Set(["world", "snapshots"]);

/** If secrets are unreadable, the database was usually copied without its FILE.key (emulator.md). */
function countUnreadableSecrets(state: EmulatorState): number {
  return state.database
    .prepare(
      `SELECT webhook_credential AS secret FROM assistants WHERE webhook_credential IS NOT NULL
       UNION ALL SELECT secret FROM tools WHERE secret IS NOT NULL
       UNION ALL SELECT header.value FROM assistants, json_each(assistants.webhook_headers) AS header WHERE header.value <> ''
       UNION ALL SELECT header.value FROM tools, json_each(tools.headers) AS header WHERE header.value <> ''`,
    )
    .all()
    .filter((row) => decryptSecret(state.options, String(row["secret"])) === undefined).length;
}

export const emulatorHandlers: ControlHandlers<typeof emulator> = {
  status: ({ state }) => ({
    version: packageJson.version,
    uptime_seconds: Math.floor((monotonicMilliseconds() - state.openedAt) / 1000),
    db: state.options.path,
    pid: process.pid,
    world_id: state.emulatorId,
    clock: { mode: state.clock.current, now: isoTime(state.clock.now()) },
    unreadable_secrets: countUnreadableSecrets(state),
    counts: Object.fromEntries(
      listTableNames(state.database).map((table) => [
        table,
        Number(state.database.prepare(`SELECT count(*) AS n FROM "${table}"`).get()?.["n"]),
      ]),
    ),
  }),
  stop: ({ stopServer }) => {
    if (stopServer === undefined)
      throw conflict("emulator.control", "this emulator has no server that can be stopped remotely");
    stopServer();
    return { stopping: true };
  },
  reset: {
    async prepare({ state, startLine }, { body }) {
      const demo = body.seed === "demo" ? await loadDemo() : undefined;
      return () => {
        state.database.transaction(() => {
          const emptied = listTableNames(state.database).filter((table) => !preservedTables.has(table));
          emptyTables(state.database, emptied);
          state.database
            .prepare("UPDATE world SET world_id = ?, key_generation = key_generation + ?")
            .run(state.options.random.bytes(12).toString("hex"), body.new_keys ? 1 : 0);
          state.reload();
          plantSeed(state, demo);
        });
        return startLine();
      };
    },
  },
};
