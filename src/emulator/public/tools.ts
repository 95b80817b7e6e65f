import type { Tool, tools } from "../../contract/public/tools.js";
import type { Handlers, PublicContext } from "../context.js";
import { encryptSecret } from "../kernel/secrets.js";
import { Table } from "../kernel/table.js";
import { conflict } from "../refusal.js";
import { isAssigned } from "./assigned.js";

type Row = Omit<Tool, "has_secret"> & { secret: string | null };

const table = new Table<Row>("tools", "the tool", {
  name: "text",
  description: "text",
  type: "text",
  url: "text",
  method: "text",
  headers: "json",
  parameters: "json",
  secret: "text",
});

/** public.tool.secret: whether there is one, never what it is. */
function shown(row: Row): Tool {
  const { secret, created_at, updated_at, ...fields } = row;
  return { ...fields, has_secret: secret !== null, created_at, updated_at };
}

/** As it may lie in the file; undefined leaves it as it is, null clears it (D-tool). */
function stored(context: PublicContext, secret: string | null | undefined): string | null | undefined {
  return secret === undefined || secret === null ? secret : encryptSecret(context.world, secret);
}

// D-tool
function refuseTakenName(context: PublicContext, name: string, exceptId?: string): void {
  const taken = context.database
    .prepare("SELECT id FROM tools WHERE organization_id = ? AND name = ?")
    .get(context.organization.id, name);
  if (taken && taken["id"] !== exceptId) throw conflict("D-tool", `there is a tool named "${name}" already`);
}

// D-tool
function refuseAssigned(context: PublicContext, row: Row): void {
  if (!isAssigned(context, "tool_ids", row.id)) return;
  throw conflict("D-tool", `"${row.name}" is still assigned to an assistant`);
}

export const toolHandlers: Handlers<typeof tools> = {
  "tools.list": (context, { query }) => {
    const page = table.page(context, query);
    return { ...page, rows: page.rows.map(shown) };
  },

  "tools.create": (context, { body }) => {
    refuseTakenName(context, body.name);
    return shown(table.insert(context, { ...body, secret: stored(context, body.secret) }));
  },

  "tools.get": (context, { path }) => shown(table.require(context, path.tool_id)),

  "tools.update": (context, { path, body }) => {
    const row = table.require(context, path.tool_id);
    if (body.name !== undefined) refuseTakenName(context, body.name, row.id);
    return shown(table.update(context, row.id, { ...body, secret: stored(context, body.secret) }));
  },

  "tools.delete": (context, { path }) => {
    const row = table.require(context, path.tool_id);
    refuseAssigned(context, row);
    table.delete(context, row.id);
  },
};
