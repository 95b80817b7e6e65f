import type { Row } from "../../base/database.js";
import { namedResources, type resources } from "../../contract/control/resources.js";
import { isoTime } from "../kernel/clock.js";
import { notFound } from "../refusal.js";
import { conditionsOf } from "./conditions.js";
import type { ControlHandlers } from "./handlers.js";

type NamedResource = (typeof namedResources)[number];

/** How things of each kind are called, and what else tells them apart: expressions over their tables. */
const tables: Readonly<
  Record<NamedResource, { table: string; name: string; about: string; grouped: boolean }>
> = {
  assistants: { table: "assistants", name: "name", about: "phone_number", grouped: false },
  contacts: {
    table: "contacts",
    name: "trim(first_name || ' ' || last_name)",
    about: "phone_numbers ->> '$[0]'",
    grouped: true,
  },
  groups: { table: "groups", name: "name", about: "type", grouped: false },
  knowledge: {
    table: "knowledge_items",
    name: "name",
    about: "iif(active, NULL, 'not active')",
    grouped: true,
  },
  prompts: { table: "prompts", name: "name", about: "kind", grouped: false },
  forwardings: {
    table: "forwardings",
    name: "coalesce(name, type)",
    about: "coalesce(phone_number, sip_uri, sip_refer_target)",
    grouped: true,
  },
  glossary: { table: "glossary_items", name: "term", about: "definition", grouped: true },
  pronunciation: {
    table: "pronunciation_items",
    name: "token",
    about: "coalesce(replacement, ipa)",
    grouped: true,
  },
  calendars: { table: "calendars", name: "name", about: "timezone", grouped: false },
  tools: { table: "tools", name: "name", about: "url", grouped: false },
};

/** Longer texts are cut: a list is for finding. */
const longestAbout = 200;

function shown(row: Row): object {
  return { ...row, updated_at: isoTime(Number(row["updated_at"])) };
}

export const resourceHandlers: ControlHandlers<typeof resources> = {
  "resources.list": ({ world }, { path, query }) => {
    const resource = namedResources.find((name) => name === path.resource);
    if (resource === undefined) throw notFound(`the resource ${path.resource}`, "emulator.control");
    const { table, name, about, grouped } = tables[resource];
    const { where, values } = conditionsOf([
      ["organization_id = ?", query.organization_id],
      [grouped ? "group_id = ?" : "? IS NULL", query.group_id],
      ["id < ?", query.before],
      [`instr(lower(${name} || ' ' || coalesce(${about}, '') || ' ' || id), lower(?)) > 0`, query.search],
    ]);
    return world.database
      .prepare(
        `SELECT id, ${name} AS name, substr(${about}, 1, ${longestAbout}) AS about,
           ${grouped ? "group_id" : "NULL"} AS group_id, updated_at
         FROM ${table} ${where} ORDER BY id DESC LIMIT ?`,
      )
      .all(...values, query.limit)
      .map(shown);
  },
  "names.list": ({ world }, { query }) => {
    const ids = JSON.stringify(query.ids.split(","));
    return [...namedResources, "voices"].flatMap((resource) => {
      const known = namedResources.find((name) => name === resource);
      const { table, name } = known ? tables[known] : { table: "voices", name: "name" };
      return world.database
        .prepare(`SELECT id, ${name} AS name FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`)
        .all(ids)
        .map((row) => ({ ...row, resource }));
    });
  },
};
