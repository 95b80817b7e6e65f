import type { organizations } from "../../contract/control/organizations.js";
import type { EmulatorState } from "../emulator-state.js";
import { createOrganization, toOrganization } from "../kernel/organizations.js";
import { getNumberPool, setNumberPool } from "../public/numbers.js";
import { notFound } from "../refusal.js";
import type { ControlHandlers } from "./handlers.js";

function show(state: EmulatorState, id: string) {
  const row = state.database.prepare("SELECT * FROM organizations WHERE id = ?").get(id);
  if (!row) throw notFound(`the organization ${id}`, "emulator.control");
  const organization = toOrganization(row);
  return {
    ...organization,
    features: [...organization.features],
    number_pool: getNumberPool(state.database, id, state.clock.now()),
  };
}

const countedTables = ["assistants", "contacts", "calls", "knowledge_items", "keys"];

function countRowsByOrganization({ database }: EmulatorState): Map<string, Record<string, number>> {
  const counts = new Map<string, Record<string, number>>();
  for (const table of countedTables) {
    const rows = database
      .prepare(
        `SELECT organization_id AS id, count(*) AS n FROM ${table} WHERE organization_id IS NOT NULL GROUP BY 1`,
      )
      .all();
    for (const { id, n } of rows) {
      const own = counts.get(String(id)) ?? {};
      counts.set(String(id), Object.assign(own, { [table]: Number(n) }));
    }
  }
  return counts;
}

export const organizationHandlers: ControlHandlers<typeof organizations> = {
  "organizations.list": ({ state }, { query }) => {
    const counts = query.counts === "true" ? countRowsByOrganization(state) : undefined;
    return state.database
      .prepare("SELECT id, type, parent_id, distributor_id FROM organizations ORDER BY id")
      .all()
      .map(({ id, ...hierarchy }) => ({
        ...show(state, String(id)),
        ...hierarchy,
        ...(counts ? { counts: counts.get(String(id)) ?? {} } : {}),
      }));
  },
  "distributors.list": ({ state }) =>
    state.database.prepare("SELECT id, name FROM distributors ORDER BY id").all(),
  "organizations.create": ({ state }, { body }) =>
    show(
      state,
      createOrganization(state.database, () => state.ids.next(), state.clock.now(), body),
    ),
  "organizations.update": ({ state }, { path: { id }, body }) => {
    const now = state.clock.now();
    if (body.features) {
      state.database
        .prepare("UPDATE organizations SET features = ?, updated_at = ? WHERE id = ?")
        .run(JSON.stringify(body.features), now, id);
    }
    if (body.status) {
      state.database
        .prepare("UPDATE organizations SET status = ?, blocked_reason = NULL, updated_at = ? WHERE id = ?")
        .run(body.status, now, id);
    }
    if (body.number_pool !== undefined) setNumberPool(state.database, id, body.number_pool, now);
    return show(state, id);
  },
  "distributors.create": ({ state }, { body }) => {
    const id = state.ids.next();
    const now = state.clock.now();
    state.database
      .prepare("INSERT INTO distributors (id, name, created_at, updated_at) VALUES (?, ?, ?, ?)")
      .run(id, body.name, now, now);
    return { id, name: body.name };
  },
};
