import type { organizations } from "../../contract/control/organizations.js";
import { createOrganization, organizationOf } from "../kernel/organizations.js";
import { numberPool, setNumberPool } from "../public/numbers.js";
import { notFound } from "../refusal.js";
import type { World } from "../world.js";
import type { ControlHandlers } from "./handlers.js";

function show(world: World, id: string) {
  const row = world.database.prepare("SELECT * FROM organizations WHERE id = ?").get(id);
  if (!row) throw notFound(`the organization ${id}`, "emulator.control");
  const organization = organizationOf(row);
  return {
    ...organization,
    features: [...organization.features],
    number_pool: numberPool(world.database, id, world.clock.now()),
  };
}

/** The things that people look for in an organization. */
const counted = ["assistants", "contacts", "calls", "knowledge_items", "keys"];

/** How many of each there are, by organization. */
function countsOf({ database }: World): Map<string, Record<string, number>> {
  const counts = new Map<string, Record<string, number>>();
  for (const table of counted) {
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
  "organizations.list": ({ world }, { query }) => {
    const counts = query.counts === "true" ? countsOf(world) : undefined;
    return world.database
      .prepare("SELECT id, type, parent_id, distributor_id FROM organizations ORDER BY id")
      .all()
      .map(({ id, ...place }) => ({
        ...show(world, String(id)),
        ...place,
        ...(counts ? { counts: counts.get(String(id)) ?? {} } : {}),
      }));
  },
  "distributors.list": ({ world }) =>
    world.database.prepare("SELECT id, name FROM distributors ORDER BY id").all(),
  "organizations.create": ({ world }, { body }) =>
    show(
      world,
      createOrganization(world.database, () => world.ids.next(), world.clock.now(), body),
    ),
  "organizations.update": ({ world }, { path: { id }, body }) => {
    const now = world.clock.now();
    if (body.features) {
      world.database
        .prepare("UPDATE organizations SET features = ?, updated_at = ? WHERE id = ?")
        .run(JSON.stringify(body.features), now, id);
    }
    if (body.status) {
      world.database
        .prepare("UPDATE organizations SET status = ?, blocked_reason = NULL, updated_at = ? WHERE id = ?")
        .run(body.status, now, id);
    }
    if (body.number_pool !== undefined) setNumberPool(world.database, id, body.number_pool, now);
    return show(world, id);
  },
  "distributors.create": ({ world }, { body }) => {
    const id = world.ids.next();
    const now = world.clock.now();
    world.database
      .prepare("INSERT INTO distributors (id, name, created_at, updated_at) VALUES (?, ?, ?, ?)")
      .run(id, body.name, now, now);
    return { id, name: body.name };
  },
};
