import { faultOperations } from "../../contract/control/choices.js";
import type { faults } from "../../contract/control/faults.js";
import type { EmulatorState } from "../emulator-state.js";
import { isoTime } from "../kernel/clock.js";
import { type Fault, toFault } from "../kernel/faults.js";
import { invalid, notFound } from "../refusal.js";
import type { ControlHandlers } from "./handlers.js";
import { requireKey } from "./keys.js";

function show({ expires_at, ...fault }: Fault) {
  return { ...fault, expires_at: expires_at === null ? null : isoTime(expires_at) };
}

function requireFault(state: EmulatorState, id: string): Fault {
  const row = state.database.prepare("SELECT * FROM faults WHERE id = ?").get(id);
  if (!row) throw notFound(`the fault ${id}`, "emulator.control");
  return toFault(row);
}

export const faultHandlers: ControlHandlers<typeof faults> = {
  "faults.list": ({ state }) =>
    state.database
      .prepare("SELECT * FROM faults ORDER BY id")
      .all()
      .map((row) => show(toFault(row))),
  "faults.create": ({ state }, { body }) => {
    if (body.kind === "delay" && body.delay_ms === undefined) {
      throw invalid("emulator.faults", [{ path: ["delay_ms"], message: "is required for a delay" }]);
    }
    if (body.kind !== "delay" && body.delay_ms !== undefined) {
      throw invalid("emulator.faults", [{ path: ["delay_ms"], message: `is allowed only for a delay` }]);
    }
    const struck = faultOperations[body.kind];
    if (body.operation !== undefined && struck && !struck.includes(body.operation)) {
      const message = `is not affected by ${body.kind}; omit it, or use ${struck.join(" or ")}`;
      throw invalid("emulator.faults", [{ path: ["operation"], message }]);
    }
    // An unknown key is refused, because its fault would never be applied.
    const keyId = body.key_id === undefined ? null : requireKey(state, body.key_id).id;
    const now = state.clock.now();
    const id = state.ids.next();
    state.database
      .prepare(
        "INSERT INTO faults (id, operation, method, path, key_id, kind, probability, times, skip, delay_ms, expires_at, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      )
      .run(
        id,
        body.operation ?? null,
        body.method ?? null,
        body.path ?? null,
        keyId,
        body.kind,
        body.probability ?? null,
        body.times ?? null,
        body.skip,
        body.delay_ms ?? null,
        body.expires_in_seconds === undefined ? null : now + Math.round(body.expires_in_seconds * 1000),
        now,
      );
    return show(requireFault(state, id));
  },
  "faults.clear": ({ state }) => {
    const faults = state.database.prepare("DELETE FROM faults").run();
    return { deleted: true, faults };
  },
  "faults.delete": ({ state }, { path: { id } }) => {
    requireFault(state, id);
    state.database.prepare("DELETE FROM faults WHERE id = ?").run(id);
    return { id, deleted: true };
  },
};
