import type { SqlValue } from "../../base/database.js";
import type { EmulatorState } from "../emulator-state.js";
import { isoTime } from "./clock.js";
import type { Stored, Table } from "./table.js";

export function plantRow(
  state: EmulatorState,
  table: string,
  organizationId: string,
  values: Readonly<Record<string, SqlValue>>,
): string {
  const id = state.ids.next();
  const now = state.clock.now();
  const row = { id, organization_id: organizationId, created_at: now, updated_at: now, ...values };
  const names = Object.keys(row);
  state.database
    .prepare(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`)
    .run(...Object.values(row));
  return id;
}

export function plantRecord<T extends Stored>(
  state: EmulatorState,
  table: Table<T>,
  organizationId: string,
  values: Omit<T, keyof Stored>,
): void {
  const now = isoTime(state.clock.now());
  const record = { id: state.ids.next(), ...values, created_at: now, updated_at: now };
  table.put(state.database, organizationId, record);
}

export function plantGroup(state: EmulatorState, organizationId: string, type: string, name: string): string {
  return plantRow(state, "groups", organizationId, { type, name });
}
