/**
 * Tables of resources that are stored as JSON. Columns contain only the fields that foreign keys or filters
 * use; `members` contains all other fields and the closing brace (kernel/table.ts). The primary key keeps the
 * rows of a page adjacent. Deleting a group deletes its items (public.operations.1a).
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

/** Returns the temporary name of a new table while rows are copied from the old one. */
export const newName = (table: string) => `${table}_with_texts`;

export const textTableSchema = (table: string) => tableOf(newName(table));

/** Creates the index that sorts a group's items. The foreign key uses only the index's first column. */
export const textIndexSchema = (table: string) =>
  `CREATE INDEX ${table}_by_group_id ON ${table}(group_id, organization_id, id);`;
