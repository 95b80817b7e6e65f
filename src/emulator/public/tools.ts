import type { Tool, tools } from "../../contract/public/tools.js";
import type { Handlers, PublicContext } from "../context.js";
import { ColumnTable } from "../kernel/column-table.js";
import { decryptHeaders, encryptHeaders, encryptSecret } from "../kernel/secrets.js";
import { conflict } from "../refusal.js";
import { isAssigned } from "./assigned.js";

/** The secret and the header values are encrypted. */
type Row = Omit<Tool, "has_secret"> & { secret: string | null };

const table = new ColumnTable<Row>("tools", "the tool", {
  name: "text",
  description: "text",
  type: "text",
  url: "text",
  method: "text",
  headers: "json",
  parameters: "json",
  secret: "text",
});

/**
 * Converts a row to the form that the API shows. That form contains `has_secret` instead of the secret
 * (public.tool.secret).
 */
function toTool(context: PublicContext, row: Row): Tool {
  const { secret, created_at, updated_at, ...fields } = row;
  const headers = decryptHeaders(context.state.options, row.headers);
  return { ...fields, headers, has_secret: secret !== null, created_at, updated_at };
}

/** An undefined value keeps the column; null clears the secret (D-tool). */
function encryptSecrets(
  { state }: PublicContext,
  { headers, secret }: { headers?: Tool["headers"] | undefined; secret?: string | null | undefined },
) {
  return {
    headers: headers && encryptHeaders(state.options, headers),
    secret: secret === undefined || secret === null ? secret : encryptSecret(state.options, secret),
  };
}

// D-tool
function refuseTakenName(context: PublicContext, name: string, exceptId?: string): void {
  if (context.state.mirror.isOff("D-tool")) return;
  const taken = context.database
    .prepare("SELECT id FROM tools WHERE organization_id = ? AND name = ?")
    .get(context.organization.id, name);
  if (taken && taken["id"] !== exceptId) throw conflict("D-tool", `a tool named "${name}" already exists`);
}

// D-tool
function refuseAssigned(context: PublicContext, row: Row): void {
  if (!isAssigned(context, "tool_ids", row.id)) return;
  throw conflict("D-tool", `"${row.name}" is still assigned to an assistant`);
}

export const toolHandlers: Handlers<typeof tools> = {
  "tools.list": (context, { query }) => {
    const page = table.page(context, query);
    return { ...page, rows: page.rows.map((row) => toTool(context, row)) };
  },

  "tools.create": (context, { body }) => {
    refuseTakenName(context, body.name);
    return toTool(context, table.insert(context, { ...body, ...encryptSecrets(context, body) }));
  },

  "tools.get": (context, { path }) => toTool(context, table.require(context, path.tool_id)),

  "tools.update": (context, { path, body }) => {
    const row = table.require(context, path.tool_id);
    if (body.name !== undefined) refuseTakenName(context, body.name, row.id);
    return toTool(context, table.update(context, row.id, { ...body, ...encryptSecrets(context, body) }));
  },

  "tools.delete": (context, { path }) => {
    const row = table.require(context, path.tool_id);
    refuseAssigned(context, row); // D-tool
    table.delete(context, row.id);
  },
};
