import * as z from "zod";
import { voiceGenerations } from "../../contract/public/voices.js";
import { notFound } from "../refusal.js";
import type { World } from "../world.js";
import { type ControlCall, controlCall } from "./call.js";

function show(world: World, id: string) {
  const row = world.database
    .prepare("SELECT id, name, generation, selectable FROM voices WHERE id = ?")
    .get(id);
  if (!row) throw notFound(`the voice ${id}`, "emulator.control");
  return { ...row, selectable: row["selectable"] === 1 };
}

export const voiceCalls: readonly ControlCall[] = [
  controlCall({
    method: "GET",
    path: "/voices",
    list: true,
    run: ({ world }) =>
      world.database
        .prepare("SELECT id FROM voices ORDER BY id")
        .all()
        .map(({ id }) => show(world, String(id))),
  }),
  controlCall({
    method: "POST",
    path: "/voices",
    body: z.strictObject({
      name: z.string().trim().min(1).max(200),
      generation: z.enum(voiceGenerations),
      selectable: z.boolean().default(true),
    }),
    success: 201,
    run: ({ world }, { body }) => {
      const id = world.ids.next();
      const now = world.clock.now();
      world.database
        .prepare(
          "INSERT INTO voices (id, name, languages, gender, generation, selectable, created_at, updated_at) VALUES (?, ?, '[\"de\",\"en\"]', 'neutral', ?, ?, ?, ?)",
        )
        .run(id, body.name, body.generation, body.selectable ? 1 : 0, now, now);
      return show(world, id);
    },
  }),
  controlCall({
    method: "PATCH",
    path: "/voices/{id}",
    body: z.strictObject({ selectable: z.boolean() }),
    run: ({ world }, { id, body }) => {
      world.database
        .prepare("UPDATE voices SET selectable = ?, updated_at = ? WHERE id = ?")
        .run(body.selectable ? 1 : 0, world.clock.now(), id);
      return show(world, id);
    },
  }),
];
