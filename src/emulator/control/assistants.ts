import type { Row } from "../../base/database.js";
import type { assistants } from "../../contract/control/assistants.js";
import type { EmulatorState } from "../emulator-state.js";
import { notFound } from "../refusal.js";
import type { ControlHandlers } from "./handlers.js";

const columns = "id, organization_id, name, phone_number, enterprise, greeting_locked, blocked_numbers";

function toView(row: Row) {
  const blockedNumbers: unknown = JSON.parse(String(row["blocked_numbers"]));
  return {
    id: row["id"],
    enterprise: row["enterprise"] === 1,
    greeting_locked: row["greeting_locked"] === 1,
    blocked_numbers: blockedNumbers,
  };
}

function toListView(row: Row) {
  const { organization_id, name, phone_number } = row;
  return { ...toView(row), organization_id, name, phone_number };
}

function show(state: EmulatorState, id: string) {
  const row = state.database.prepare(`SELECT ${columns} FROM assistants WHERE id = ?`).get(id);
  if (!row) throw notFound(`the assistant ${id}`, "emulator.control");
  return toView(row);
}

export const assistantHandlers: ControlHandlers<typeof assistants> = {
  "assistants.list": ({ state }) =>
    state.database.prepare(`SELECT ${columns} FROM assistants ORDER BY id`).all().map(toListView),
  "assistants.update": ({ state }, { path: { id }, body }) => {
    const before = show(state, id);
    const after = { ...before, ...body };
    state.database
      .prepare("UPDATE assistants SET enterprise = ?, greeting_locked = ?, blocked_numbers = ? WHERE id = ?")
      .run(
        after.enterprise ? 1 : 0,
        after.greeting_locked ? 1 : 0,
        JSON.stringify(after.blocked_numbers),
        id,
      );
    return show(state, id);
  },
};
