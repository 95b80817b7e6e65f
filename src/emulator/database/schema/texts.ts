/**
 * The tables of things that the API shows as they lie in their row: the columns are those that lists are filtered by
 * and foreign keys guard, and `members` is the rest of the object's JSON, up to its closing brace (kernel/table.ts).
 * The key is the order of the lists, so that a page lies together. public.operations.1a: things go with their group.
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

/** Beside the table of former formats, whose rows come into it before it takes the other's name. */
export const newName = (table: string) => `${table}_with_texts`;

export const textTableSchema = (table: string) => tableOf(newName(table));

/** A group's things in their order; the foreign key looks for them by the group alone. */
export const textIndexSchema = (table: string) =>
  `CREATE INDEX ${table}_by_group_id ON ${table}(group_id, organization_id, id);`;
