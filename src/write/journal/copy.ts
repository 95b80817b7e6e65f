import { makePrivateFolder } from "../../base/private-file.js";
import { pathOf } from "./folder.js";
import { Journal } from "./journal.js";

/**
 * Records the whole content as changes, so that the copy can be published.
 * @param from the run's directory
 * @param to directory for the copy
 * @throws BulkError `run_busy`, `run_not_found`
 */
export async function copyJournal({
  from,
  to,
  id,
}: {
  from: string;
  to: string;
  id: string;
}): Promise<Journal> {
  const original = await Journal.open(pathOf(from, id), { create: false });
  original.close();
  await makePrivateFolder(to);
  const copy = await Journal.open(pathOf(to, id), { create: true, shared: true });
  const { database } = copy;
  const tables = "SELECT name, sql FROM source.sqlite_schema WHERE sql IS NOT NULL";
  database.prepare("ATTACH DATABASE ? AS source").run(pathOf(from, id));
  try {
    database.transaction(() => {
      const missing = `${tables} AND name NOT IN (SELECT name FROM main.sqlite_schema) ORDER BY type DESC, name`;
      for (const { sql } of database.prepare(missing).all()) database.exec(String(sql));
      for (const { name } of database.prepare(`${tables} AND type = 'table'`).all())
        database.exec(`INSERT INTO main."${String(name)}" SELECT * FROM source."${String(name)}"`);
    });
  } finally {
    database.exec("DETACH DATABASE source");
  }
  return copy;
}
