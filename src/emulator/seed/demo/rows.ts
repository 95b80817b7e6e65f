import type { SqlValue } from "../../../base/database.js";
import { isoTime } from "../../kernel/clock.js";
import type { Stored, Table } from "../../kernel/table.js";
import type { World } from "../../world.js";

/** Puts a row into a resource's table, as if created now; answers its id. */
export function plantRow(
  world: World,
  table: string,
  organizationId: string,
  values: Readonly<Record<string, SqlValue>>,
): string {
  const id = world.ids.next();
  const now = world.clock.now();
  const row = { id, organization_id: organizationId, created_at: now, updated_at: now, ...values };
  const names = Object.keys(row);
  world.database
    .prepare(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`)
    .run(...Object.values(row));
  return id;
}

/** The same for things that lie there as they are shown. */
export function plantThing<T extends Stored>(
  world: World,
  table: Table<T>,
  organizationId: string,
  values: Omit<T, keyof Stored>,
): void {
  const now = isoTime(world.clock.now());
  const thing = { id: world.ids.next(), ...values, created_at: now, updated_at: now };
  table.put(world.database, organizationId, thing);
}

/** A group beside the default one; answers its id. */
export function plantGroup(world: World, organizationId: string, type: string, name: string): string {
  return plantRow(world, "groups", organizationId, { type, name });
}
