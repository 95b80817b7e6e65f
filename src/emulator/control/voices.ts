import type { voices } from "../../contract/control/voices.js";
import type { EmulatorState } from "../emulator-state.js";
import { notFound } from "../refusal.js";
import type { ControlHandlers } from "./handlers.js";

function show(state: EmulatorState, id: string) {
  const row = state.database
    .prepare("SELECT id, name, generation, selectable FROM voices WHERE id = ?")
    .get(id);
  if (!row) throw notFound(`the voice ${id}`, "emulator.control");
  return { ...row, selectable: row["selectable"] === 1 };
}

export const voiceHandlers: ControlHandlers<typeof voices> = {
  "voices.list": ({ state }) =>
    state.database
      .prepare("SELECT id FROM voices ORDER BY id")
      .all()
      .map(({ id }) => show(state, String(id))),
  "voices.create": ({ state }, { body }) => {
    const id = state.ids.next();
    const now = state.clock.now();
    state.database
      .prepare(
        "INSERT INTO voices (id, name, languages, gender, generation, selectable, created_at, updated_at) VALUES (?, ?, '[\"de\",\"en\"]', 'neutral', ?, ?, ?, ?)",
      )
      .run(id, body.name, body.generation, body.selectable ? 1 : 0, now, now);
    return show(state, id);
  },
  "voices.update": ({ state }, { path: { id }, body }) => {
    state.database
      .prepare("UPDATE voices SET selectable = ?, updated_at = ? WHERE id = ?")
      .run(body.selectable ? 1 : 0, state.clock.now(), id);
    return show(state, id);
  },
};
