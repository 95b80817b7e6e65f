import type { Row } from "../../base/database.js";
import { namedResources, type resources } from "../../contract/control/resources.js";
import { isoTime } from "../kernel/clock.js";
import { notFound } from "../refusal.js";
import { buildConditions } from "./conditions.js";
import type { ControlHandlers } from "./handlers.js";

type NamedResource = (typeof namedResources)[number];

interface NamedTable {
  table: string;
  /** SQL expression for the resource's name. */
  name: string;
  about: string;
  grouped: boolean;
  /** SQL expression for the time of the last change, as text or in milliseconds. */
  updated: string;
  more?: string;
  /**
   * SQL expression that joins all searched values into one string, so that one comparison can exclude most
   * rows.
   */
  whole?: string;
}

const plainTable = (table: string, about: string, grouped = false): NamedTable => ({
  table,
  name: "name",
  about,
  grouped,
  updated: "updated_at",
});

/** For a table whose column `members` contains JSON without the opening brace (see kernel/table.ts). */
const textTable = (
  table: string,
  name: (field: (name: string) => string) => [string, string],
): NamedTable => {
  const field = (path: string) => `(('{' || members) ->> '$.${path}')`;
  const [own, about] = name(field);
  return { table, name: own, about, grouped: true, updated: field("updated_at"), whole: "members || id" };
};

const tables: Readonly<Record<NamedResource, NamedTable>> = {
  assistants: plainTable("assistants", "phone_number"),
  contacts: {
    ...textTable("contacts", (field) => [
      `trim(${field("first_name")} || ' ' || ${field("last_name")})`,
      field("phone_numbers[0]"),
    ]),
    more: "(('{' || members) ->> '$.phone_numbers') || (('{' || members) ->> '$.emails')",
  },
  groups: plainTable("groups", "type"),
  knowledge: plainTable("knowledge_items", "iif(active, NULL, 'not active')", true),
  prompts: plainTable("prompts", "kind"),
  forwardings: textTable("forwardings", (field) => [
    `coalesce(${field("name")}, ${field("type")})`,
    `coalesce(${field("phone_number")}, ${field("sip_uri")}, ${field("sip_refer_target")})`,
  ]),
  glossary: textTable("glossary_items", (field) => [field("term"), field("definition")]),
  pronunciation: textTable("pronunciation_items", (field) => [
    field("token"),
    `coalesce(${field("replacement")}, ${field("ipa")})`,
  ]),
  calendars: plainTable("calendars", "timezone"),
  tools: plainTable("tools", "url"),
};

const longestAbout = 200;

function toView(row: Row): object {
  const at = row["updated_at"];
  return { ...row, updated_at: typeof at === "string" ? at : isoTime(Number(at)) };
}

/** Any JSON that contains the text also contains the text's longest word, escaped as in JSON. */
function findLongestJsonWord(text: string): string {
  const [longest = ""] = text.split(/\s+/).sort((left, right) => right.length - left.length);
  return JSON.stringify(longest).slice(1, -1);
}

export const resourceHandlers: ControlHandlers<typeof resources> = {
  "resources.list": ({ state }, { path, query }) => {
    const resource = namedResources.find((name) => name === path.resource);
    if (resource === undefined) throw notFound(`the resource ${path.resource}`, "emulator.control");
    const { table, name, about, grouped, updated, more = "''", whole } = tables[resource];
    const { search = "" } = query;
    const { where, values } = buildConditions([
      ["organization_id = ?", query.organization_id],
      [grouped ? "group_id = ?" : "? IS NULL", query.group_id],
      ["id < ?", query.before],
      [`instr(lower(${whole}), lower(?)) > 0`, whole === undefined ? undefined : findLongestJsonWord(search)],
      [
        `instr(lower(${name} || ' ' || coalesce(${about}, '') || ' ' || id || ' ' || ${more}), lower(?)) > 0`,
        search,
      ],
    ]);
    return state.database
      .prepare(
        `SELECT id, ${name} AS name, substr(${about}, 1, ${longestAbout}) AS about,
           ${grouped ? "group_id" : "NULL"} AS group_id, ${updated} AS updated_at
         FROM ${table} ${where} ORDER BY id DESC LIMIT ?`,
      )
      .all(...values, query.limit)
      .map(toView);
  },
  "names.list": ({ state }, { query }) => {
    const ids = JSON.stringify(query.ids.split(","));
    // Omit text tables: they contain items of groups, to which no other resource refers by ID.
    const named = namedResources.filter((resource) => tables[resource].whole === undefined);
    return [...named, "voices" as const].flatMap((resource) => {
      const table = resource === "voices" ? resource : tables[resource].table;
      return state.database
        .prepare(`SELECT id, name FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`)
        .all(ids)
        .map((row) => ({ ...row, resource }));
    });
  },
};
