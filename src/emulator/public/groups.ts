import type { Group, groups } from "../../contract/public/groups.js";
import type { Handlers, PublicContext } from "../context.js";
import { ColumnTable } from "../kernel/column-table.js";
import { conflict, notFound } from "../refusal.js";
import { isAssigned, type ReferenceField } from "./assigned.js";

const table = new ColumnTable<Group>("groups", "the group", { type: "text", name: "text" });

/** Refuses the name of another group of this type in the organization (D-group). */
function refuseTakenName(context: PublicContext, type: string, name: string, exceptId?: string): void {
  if (context.state.mirror.isOff("D-group")) return;
  const taken = context.database
    .prepare("SELECT id FROM groups WHERE organization_id = ? AND type = ? AND name = ?")
    .get(context.organization.id, type, name);
  if (taken && taken["id"] !== exceptId) {
    throw conflict("D-group", `a group of type ${type} named "${name}" already exists`);
  }
}

/** Contact groups can't be assigned (D-group). A mirror may contain groups of undocumented types. */
const assigningFields: Readonly<Record<string, ReferenceField | undefined>> = {
  knowledges: "knowledge_group_ids",
  forwardings: "forwarding_group_ids",
  glossaries: "glossary_group_ids",
  pronunciations: "pronunciation_group_ids",
};

// public.operations.1b
function refuseAssigned(context: PublicContext, group: Group): void {
  const field = assigningFields[group.type];
  if (field !== undefined && isAssigned(context, field, group.id)) {
    throw conflict("public.operations.1b", `"${group.name}" is assigned to an assistant`);
  }
}

// public.operations.1c
function refuseLastOfItsType(context: PublicContext, group: Group): void {
  const row = context.database
    .prepare("SELECT count(*) AS n FROM groups WHERE organization_id = ? AND type = ?")
    .get(context.organization.id, group.type);
  if (Number(row?.["n"]) <= 1) {
    throw conflict(
      "public.operations.1c",
      `"${group.name}" is the organization's last group of type ${group.type}`,
    );
  }
}

/** @throws Refusal not_found with `rule` if the organization has no group with this ID and type */
export function requireGroup(context: PublicContext, id: string, type: Group["type"], rule: string): void {
  // A group of another type is treated as missing (public.group.own-type, D-head).
  if (table.valueOf(context, id, "type") !== type) throw notFound(`the group ${id} of type ${type}`, rule);
}

export const groupHandlers: Handlers<typeof groups> = {
  "groups.list": (context, { query }) => table.page(context, query, { type: query.type }),

  "groups.create": (context, { body }) => {
    refuseTakenName(context, body.type, body.name);
    return table.insert(context, body);
  },

  "groups.get": (context, { path }) => table.require(context, path.group_id),

  "groups.update": (context, { path, body }) => {
    const group = table.require(context, path.group_id);
    if (body.name !== undefined) refuseTakenName(context, group.type, body.name, group.id);
    return table.update(context, group.id, body);
  },

  "groups.delete": (context, { path }) => {
    const group = table.require(context, path.group_id);
    refuseAssigned(context, group);
    refuseLastOfItsType(context, group);
    // Foreign keys delete the group's items (public.operations.1a).
    table.delete(context, group.id);
  },
};
