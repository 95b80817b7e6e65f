// Writes contacts directly into an emulator database. Through the emulator, a million contacts would take
// most of an hour.
import { openSqlite } from "./servers.mjs";

const time = "2023-11-14T22:13:20.000Z";

/** Fills the first group of contacts of an organization; returns its id. */
export function fillContacts(db, organization, count, emails = []) {
  const database = openSqlite(db);
  const group = database
    .prepare("SELECT id FROM groups WHERE organization_id = ? AND type = 'contacts'")
    .get(organization).id;
  const insert = database.prepare(
    "INSERT INTO contacts (organization_id, id, group_id, members) VALUES (?, ?, ?, ?)",
  );
  database.exec("BEGIN");
  for (const contact of contactRows(organization, group, count, emails)) insert.run(...contact);
  database.exec("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  return group;
}

/** Yields contacts as rows of the table, with ids from `contactId`. */
export function* contactRows(organization, group, count, emails = []) {
  for (let index = 0; index < count; index += 1) {
    const members = {
      first_name: `Anna ${index}`,
      last_name: "Sommer",
      phone_numbers: ["+4915112345678"],
      emails,
      created_at: time,
      updated_at: time,
    };
    yield [organization, contactId(index), group, JSON.stringify(members).slice(1)];
  }
}

export function contactId(index) {
  return (0x50000000 + index).toString(16).padStart(8, "0") + "0".repeat(16);
}
