import type { Row } from "../../base/database.js";
import type { assistants } from "../../contract/control/assistants.js";
import { notFound } from "../refusal.js";
import type { World } from "../world.js";
import type { ControlHandlers } from "./handlers.js";

const columns = "id, organization_id, name, phone_number, enterprise, greeting_locked, blocked_numbers";

function shown(row: Row) {
  const blockedNumbers: unknown = JSON.parse(String(row["blocked_numbers"]));
  return {
    id: row["id"],
    enterprise: row["enterprise"] === 1,
    greeting_locked: row["greeting_locked"] === 1,
    blocked_numbers: blockedNumbers,
  };
}

/** With what people know it by. */
function listed(row: Row) {
  const { organization_id, name, phone_number } = row;
  return { ...shown(row), organization_id, name, phone_number };
}

function show(world: World, id: string) {
  const row = world.database.prepare(`SELECT ${columns} FROM assistants WHERE id = ?`).get(id);
  if (!row) throw notFound(`the assistant ${id}`, "emulator.control");
  return shown(row);
}

export const assistantHandlers: ControlHandlers<typeof assistants> = {
  "assistants.list": ({ world }) =>
    world.database.prepare(`SELECT ${columns} FROM assistants ORDER BY id`).all().map(listed),
  "assistants.update": ({ world }, { path: { id }, body }) => {
    const before = show(world, id);
    const after = { ...before, ...body };
    world.database
      .prepare("UPDATE assistants SET enterprise = ?, greeting_locked = ?, blocked_numbers = ? WHERE id = ?")
      .run(
        after.enterprise ? 1 : 0,
        after.greeting_locked ? 1 : 0,
        JSON.stringify(after.blocked_numbers),
        id,
      );
    return show(world, id);
  },
};
