/** Reads how rehearsed runs matched rows to resources, so that the plan can require the same matches. */
import type { Database } from "../../base/database.js";
import type { Fields } from "../fields.js";
import type { ImportAdapter } from "../group/adapter.js";
import { determinedFields } from "../input-row.js";
import { identityOf, type RunIdentity } from "../journal/identity.js";
import type { Item } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { itemsIn } from "../journal/outcome.js";
import { eachJournal, listRunIds } from "../journal/read.js";
import { recordOf } from "../values.js";
import { hasValues } from "./absences.js";
import { isStoredStep } from "./format.js";

interface RehearsedMatch {
  /** For a created resource: values that no other resource had. Undefined if rows were not matched. */
  sharing: Fields | undefined;
  /** For an updated resource: fields that the row determines. */
  fields: readonly string[];
}

export interface RehearsedMatches {
  find(id: string): RehearsedMatch;
}

interface RehearsedRuns {
  folder: string;
  startedAt: number;
  identityOfRows(run: RunIdentity): ImportAdapter["identity"];
}

/**
 * @param database stores the matches, because there can be many
 * @throws BulkError `run_busy` if a process of the rehearsal still uses a run
 */
export async function readRehearsedMatches(
  database: Database,
  { folder, startedAt, identityOfRows }: RehearsedRuns,
): Promise<RehearsedMatches> {
  database.exec(`
    CREATE TABLE rehearsed_matches (id TEXT NOT NULL, sharing TEXT, fields TEXT NOT NULL);
    CREATE INDEX rehearsed_matches_id ON rehearsed_matches (id);
  `);
  for await (const { journal } of eachJournal(folder, await listRunIds(folder))) {
    const run = identityOf(journal);
    const finishedAt = journal.setting("finished_at");
    // The directory also contains copies of earlier runs.
    const isEarlier = typeof finishedAt === "number" && finishedAt < startedAt;
    if (run !== undefined && !isEarlier) addMatches(database, journal, identityOfRows(run));
  }
  const select = database.prepare("SELECT sharing, fields FROM rehearsed_matches WHERE id = ?");
  return {
    find(id) {
      const matches = select.all(id).map((row) => parseMatch(String(row["sharing"]), String(row["fields"])));
      return {
        sharing: matches.find(({ sharing }) => sharing !== undefined)?.sharing,
        fields: [...new Set(matches.flatMap(({ fields }) => fields))],
      };
    },
  };
}

function addMatches(database: Database, journal: Journal, identity: ImportAdapter["identity"]): void {
  const insert = database.prepare("INSERT INTO rehearsed_matches (id, sharing, fields) VALUES (?, ?, ?)");
  database.transaction(() => {
    for (const item of itemsIn(journal)) {
      if (item.target === undefined || item.state !== "done") continue;
      const { sharing = null, fields } = findMatch(item, identity);
      if (sharing === null && fields.length === 0) continue;
      insert.run(item.target, JSON.stringify(sharing), JSON.stringify(fields));
    }
  });
}

function findMatch({ action, body, input }: Item, identity: ImportAdapter["identity"]): RehearsedMatch {
  const { step } = recordOf(input);
  if (isStoredStep(step)) {
    const { absent, fields = {} } = step.if ?? {};
    return { sharing: absent?.sharing, fields: Object.keys(fields) };
  }
  if (action === "update") return { sharing: undefined, fields: determinedFields(recordOf(input)) };
  const sharing = action === "create" ? identity(recordOf(body)) : {};
  return { sharing: hasValues(sharing) ? sharing : undefined, fields: [] };
}

function parseMatch(sharingText: string, fieldsText: string): RehearsedMatch {
  const sharing: unknown = JSON.parse(sharingText);
  const fields: unknown = JSON.parse(fieldsText);
  return {
    sharing: sharing === null ? undefined : recordOf(sharing),
    fields: Array.isArray(fields) ? fields.map(String) : [],
  };
}
