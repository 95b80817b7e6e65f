import { struckOperations } from "../../contract/control/choices.js";
import type { faults } from "../../contract/control/faults.js";
import { isoTime } from "../kernel/clock.js";
import { type Fault, faultOf } from "../kernel/faults.js";
import { invalid, notFound } from "../refusal.js";
import type { World } from "../world.js";
import type { ControlHandlers } from "./handlers.js";

function show({ expires_at, ...fault }: Fault) {
  return { ...fault, expires_at: expires_at === null ? null : isoTime(expires_at) };
}

function requireFault(world: World, id: string): Fault {
  const row = world.database.prepare("SELECT * FROM faults WHERE id = ?").get(id);
  if (!row) throw notFound(`the fault ${id}`, "emulator.control");
  return faultOf(row);
}

export const faultHandlers: ControlHandlers<typeof faults> = {
  "faults.list": ({ world }) =>
    world.database
      .prepare("SELECT * FROM faults ORDER BY id")
      .all()
      .map((row) => show(faultOf(row))),
  "faults.create": ({ world }, { body }) => {
    if (body.kind === "delay" && body.delay_ms === undefined) {
      throw invalid("emulator.faults", [{ path: ["delay_ms"], message: "is required for a delay" }]);
    }
    const struck = struckOperations[body.kind];
    if (body.operation !== undefined && struck && !struck.includes(body.operation)) {
      const message = `a ${body.kind} strikes ${struck.join(" and ")} only; leave it out, or name that`;
      throw invalid("emulator.faults", [{ path: ["operation"], message }]);
    }
    const now = world.clock.now();
    const id = world.ids.next();
    world.database
      .prepare(
        "INSERT INTO faults (id, operation, method, path, key_id, kind, probability, times, skip, delay_ms, expires_at, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      )
      .run(
        id,
        body.operation ?? null,
        body.method ?? null,
        body.path ?? null,
        body.key_id ?? null,
        body.kind,
        body.probability ?? null,
        body.times ?? null,
        body.skip,
        body.delay_ms ?? null,
        body.expires_in_seconds === undefined ? null : now + Math.round(body.expires_in_seconds * 1000),
        now,
      );
    return show(requireFault(world, id));
  },
  "faults.clear": ({ world }) => {
    const faults = world.database.prepare("DELETE FROM faults").run();
    return { deleted: true, faults };
  },
  "faults.delete": ({ world }, { path: { id } }) => {
    requireFault(world, id);
    world.database.prepare("DELETE FROM faults WHERE id = ?").run(id);
    return { id, deleted: true };
  },
};
