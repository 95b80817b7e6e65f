import type { Row } from "../../base/database.js";
import { namedResources, type resources } from "../../contract/control/resources.js";
import { isoTime } from "../kernel/clock.js";
import { notFound } from "../refusal.js";
import { conditionsOf } from "./conditions.js";
import type { ControlHandlers } from "./handlers.js";

type NamedResource = (typeof namedResources)[number];

interface NamedTable {
  table: string;
  /** How a thing is called, and what else tells it apart: expressions over its row. */
  name: string;
  about: string;
  grouped: boolean;
  /** When it was changed, as a time or in milliseconds. */
  updated: string;
  /** The columns that are searched beside that. */
  more?: string;
  /** A text that holds all that is searched, to leave most rows out at once. */
  whole?: string;
}

const plain = (table: string, about: string, grouped = false): NamedTable => ({
  table,
  name: "name",
  about,
  grouped,
  updated: "updated_at",
});

/** Things whose rows keep their JSON but for its opening brace (kernel/table.ts). */
const texts = (table: string, name: (field: (name: string) => string) => [string, string]): NamedTable => {
  const field = (path: string) => `(('{' || members) ->> '$.${path}')`;
  const [own, about] = name(field);
  return { table, name: own, about, grouped: true, updated: field("updated_at"), whole: "members || id" };
};

const tables: Readonly<Record<NamedResource, NamedTable>> = {
  assistants: plain("assistants", "phone_number"),
  contacts: {
    ...texts("contacts", (field) => [
      `trim(${field("first_name")} || ' ' || ${field("last_name")})`,
      field("phone_numbers[0]"),
    ]),
    more: "(('{' || members) ->> '$.phone_numbers') || (('{' || members) ->> '$.emails')",
  },
  groups: plain("groups", "type"),
  knowledge: plain("knowledge_items", "iif(active, NULL, 'not active')", true),
  prompts: plain("prompts", "kind"),
  forwardings: texts("forwardings", (field) => [
    `coalesce(${field("name")}, ${field("type")})`,
    `coalesce(${field("phone_number")}, ${field("sip_uri")}, ${field("sip_refer_target")})`,
  ]),
  glossary: texts("glossary_items", (field) => [field("term"), field("definition")]),
  pronunciation: texts("pronunciation_items", (field) => [
    field("token"),
    `coalesce(${field("replacement")}, ${field("ipa")})`,
  ]),
  calendars: plain("calendars", "timezone"),
  tools: plain("tools", "url"),
};

/** Longer texts are cut: a list is for finding. */
const longestAbout = 200;

function shown(row: Row): object {
  const at = row["updated_at"];
  return { ...row, updated_at: typeof at === "string" ? at : isoTime(Number(at)) };
}

/** The longest word of a text, as it stands in JSON: what holds the text holds it, too. */
function wordWithinJson(text: string): string {
  const [longest = ""] = text.split(/\s+/).sort((one, other) => other.length - one.length);
  return JSON.stringify(longest).slice(1, -1);
}

export const resourceHandlers: ControlHandlers<typeof resources> = {
  "resources.list": ({ world }, { path, query }) => {
    const resource = namedResources.find((name) => name === path.resource);
    if (resource === undefined) throw notFound(`the resource ${path.resource}`, "emulator.control");
    const { table, name, about, grouped, updated, more = "''", whole } = tables[resource];
    const { search = "" } = query;
    const { where, values } = conditionsOf([
      ["organization_id = ?", query.organization_id],
      [grouped ? "group_id = ?" : "? IS NULL", query.group_id],
      ["id < ?", query.before],
      [`instr(lower(${whole}), lower(?)) > 0`, whole === undefined ? undefined : wordWithinJson(search)],
      [
        `instr(lower(${name} || ' ' || coalesce(${about}, '') || ' ' || id || ' ' || ${more}), lower(?)) > 0`,
        search,
      ],
    ]);
    return world.database
      .prepare(
        `SELECT id, ${name} AS name, substr(${about}, 1, ${longestAbout}) AS about,
           ${grouped ? "group_id" : "NULL"} AS group_id, ${updated} AS updated_at
         FROM ${table} ${where} ORDER BY id DESC LIMIT ?`,
      )
      .all(...values, query.limit)
      .map(shown);
  },
  "names.list": ({ world }, { query }) => {
    const ids = JSON.stringify(query.ids.split(","));
    // The others are in groups, and nothing names them.
    const named = namedResources.filter((resource) => tables[resource].whole === undefined);
    return [...named, "voices" as const].flatMap((resource) => {
      const table = resource === "voices" ? resource : tables[resource].table;
      return world.database
        .prepare(`SELECT id, name FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`)
        .all(ids)
        .map((row) => ({ ...row, resource }));
    });
  },
};
