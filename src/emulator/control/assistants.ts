import * as z from "zod";
import type { Row } from "../../base/database.js";
import { E164 } from "../../contract/primitives.js";
import { notFound } from "../refusal.js";
import type { World } from "../world.js";
import { type ControlCall, controlCall } from "./call.js";

const AssistantUpdate = z.strictObject({
  /** An enterprise line: its webhook can't be changed through the API (public.operations.7i). */
  enterprise: z.boolean().optional(),
  /** Its greeting is managed by code (public.operations.6b). */
  greeting_locked: z.boolean().optional(),
  /** Caller-blocking entries; they replace those there are. */
  blocked_numbers: z.array(E164).optional(),
});

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

export const assistantCalls: readonly ControlCall[] = [
  controlCall({
    method: "GET",
    path: "/assistants",
    list: true,
    run: ({ world }) =>
      world.database.prepare(`SELECT ${columns} FROM assistants ORDER BY id`).all().map(listed),
  }),
  controlCall({
    method: "PATCH",
    path: "/assistants/{id}",
    body: AssistantUpdate,
    run: ({ world }, { id, body }) => {
      const before = show(world, id);
      const after = { ...before, ...body };
      world.database
        .prepare(
          "UPDATE assistants SET enterprise = ?, greeting_locked = ?, blocked_numbers = ? WHERE id = ?",
        )
        .run(
          after.enterprise ? 1 : 0,
          after.greeting_locked ? 1 : 0,
          JSON.stringify(after.blocked_numbers),
          id,
        );
      return show(world, id);
    },
  }),
];
