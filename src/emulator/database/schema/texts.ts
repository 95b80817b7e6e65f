/**
 * `members` contains the JSON of all other fields, with only the closing brace (kernel/table.ts). The primary
 * key keeps the rows of a page adjacent. If a group is deleted, its items are deleted (public.operations.1a).
 */
const tableOf = (name: string) => `
CREATE TABLE ${name} (
  organization_id TEXT NOT NULL REFERENCES organizations(id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  group_id TEXT NOT NULL REFERENCES groups(id) ON DELETE CASCADE,
  members TEXT NOT NULL,
  PRIMARY KEY (organization_id, id)
) STRICT, WITHOUT ROWID;
`;

export const newName = (table: string) => `${table}_with_texts`;

export const textTableSchema = (table: string) => tableOf(newName(table));

/** The foreign key needs only the first column; the other columns are for filtered lists. */
export const textIndexSchema = (table: string) =>
  `CREATE INDEX ${table}_by_group_id ON ${table}(group_id, organization_id, id);`;
