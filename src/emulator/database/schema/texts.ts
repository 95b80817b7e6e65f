/**
 * The tables of resources that the API shows as they are stored: columns are those that lists filter by
 * and foreign keys need; `members` is the rest of the object's JSON, up to its closing brace (kernel/table.ts).
 * The key is the order of the lists, so that the rows of a page are adjacent. public.operations.1a: deleting a group
 * deletes its items.
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

/** The temporary name of the new table while the rows of the former one are copied. */
export const newName = (table: string) => `${table}_with_texts`;

export const textTableSchema = (table: string) => tableOf(newName(table));

/** Orders the items of a group; the foreign key uses the group alone. */
export const textIndexSchema = (table: string) =>
  `CREATE INDEX ${table}_by_group_id ON ${table}(group_id, organization_id, id);`;
