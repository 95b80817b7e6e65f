import type { voices } from "../../contract/control/voices.js";
import { notFound } from "../refusal.js";
import type { World } from "../world.js";
import type { ControlHandlers } from "./handlers.js";

function show(world: World, id: string) {
  const row = world.database
    .prepare("SELECT id, name, generation, selectable FROM voices WHERE id = ?")
    .get(id);
  if (!row) throw notFound(`the voice ${id}`, "emulator.control");
  return { ...row, selectable: row["selectable"] === 1 };
}

export const voiceHandlers: ControlHandlers<typeof voices> = {
  "voices.list": ({ world }) =>
    world.database
      .prepare("SELECT id FROM voices ORDER BY id")
      .all()
      .map(({ id }) => show(world, String(id))),
  "voices.create": ({ world }, { body }) => {
    const id = world.ids.next();
    const now = world.clock.now();
    world.database
      .prepare(
        "INSERT INTO voices (id, name, languages, gender, generation, selectable, created_at, updated_at) VALUES (?, ?, '[\"de\",\"en\"]', 'neutral', ?, ?, ?, ?)",
      )
      .run(id, body.name, body.generation, body.selectable ? 1 : 0, now, now);
    return show(world, id);
  },
  "voices.update": ({ world }, { path: { id }, body }) => {
    world.database
      .prepare("UPDATE voices SET selectable = ?, updated_at = ? WHERE id = ?")
      .run(body.selectable ? 1 : 0, world.clock.now(), id);
    return show(world, id);
  },
};
