import type { Database } from "../../base/database.js";
import { encryptHeaders, type Sealing } from "../kernel/secrets.js";
import { snapshotPrefix } from "../kernel/tables.js";

/**
 * Migrates the database and its snapshots to format 5: encrypts header values, and removes the stored control
 * token, which is now derived from the database's key.
 */
export function sealHeaders(database: Database, sealing: Sealing): void {
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map(({ name }) => String(name));
  for (const table of tables) {
    switch (table.replace(new RegExp(`^${snapshotPrefix}\\d+_`), "")) {
      case "world":
        database.exec(`ALTER TABLE "${table}" DROP COLUMN control_token;
          ALTER TABLE "${table}" ADD COLUMN clock_latest INTEGER NOT NULL DEFAULT 0;`);
        break;
      case "assistants":
        database.exec(`ALTER TABLE "${table}" ADD COLUMN webhook_headers TEXT`);
        sealWebhooks(database, sealing, table);
        break;
      case "tools":
        sealTools(database, sealing, table);
        break;
    }
  }
}

function sealWebhooks(database: Database, sealing: Sealing, table: string): void {
  const update = database.prepare(
    `UPDATE "${table}" SET pre_call_webhook = ?, webhook_headers = ? WHERE id = ?`,
  );
  const rows = database
    .prepare(`SELECT id, pre_call_webhook FROM "${table}" WHERE pre_call_webhook IS NOT NULL`)
    .all();
  for (const { id, pre_call_webhook } of rows) {
    const { headers, ...webhook } = JSON.parse(String(pre_call_webhook));
    const sealed = encryptHeaders(sealing, headers ?? {});
    update.run(JSON.stringify(webhook), JSON.stringify(sealed), String(id));
  }
}

function sealTools(database: Database, sealing: Sealing, table: string): void {
  const update = database.prepare(`UPDATE "${table}" SET headers = ? WHERE id = ?`);
  for (const { id, headers } of database.prepare(`SELECT id, headers FROM "${table}"`).all()) {
    update.run(JSON.stringify(encryptHeaders(sealing, JSON.parse(String(headers)))), String(id));
  }
}
