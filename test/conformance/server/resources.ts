import { isAssigned, mergedWebhook, shownWebhook } from "./assistants.js";
import {
  createConflict,
  createInvalid,
  createNotFound,
  type Fields,
  isFields,
  objectOf,
  type ServiceResponse,
} from "./exchange.js";
import { listVisible, toPage } from "./lists.js";
import type { Call, Handler } from "./service.js";
import { fieldsOf, type Row, type ServiceState, type Setting } from "./service-state.js";
import { createEmptySuccess } from "./shapes.js";
import { normalize, shown, stored } from "./values.js";

interface Resource {
  name: string;
  /** Type of the group that contains its items. */
  group?: string;
  required: readonly string[];
  /** Fields that only a get returns, not a list (public.knowledge.text). */
  detail?: readonly string[];
  fixed?: readonly string[];
  defaults: Fields;
}

const byPath: Readonly<Record<string, Resource>> = {
  contacts: {
    name: "contacts",
    group: "contacts",
    required: ["group_id", "first_name"],
    defaults: { last_name: "Unknown", salutation: "none", country: "DE" },
  },
  groups: { name: "groups", required: ["type", "name"], fixed: ["type"], defaults: { color: "grey" } },
  "knowledge-items": {
    name: "knowledge",
    group: "knowledges",
    required: ["group_id", "name", "text"],
    detail: ["text"],
    defaults: { language: "de" },
  },
  prompts: { name: "prompts", required: ["name"], defaults: { rating: null } },
  assistants: {
    name: "assistants",
    required: ["name", "language", "voice_id", "company_name", "company_industry", "introduction"],
    defaults: { timezone: "Europe/Berlin" },
  },
  forwardings: {
    name: "forwardings",
    group: "forwardings",
    required: ["group_id"],
    fixed: ["group_id"],
    defaults: { type: "standard", timeout: 30 },
  },
  glossary: {
    name: "glossary",
    group: "glossaries",
    required: ["group_id", "term"],
    fixed: ["group_id"],
    defaults: { case_sensitive: false },
  },
  pronunciation: {
    name: "pronunciation",
    group: "pronunciations",
    required: ["group_id", "token"],
    fixed: ["group_id"],
    defaults: { spell_out: false },
  },
  calendars: { name: "calendars", required: ["name"], defaults: { timezone: "Europe/Berlin" } },
  tools: { name: "tools", required: ["name", "url"], defaults: { method: "POST" } },
};

const itemResources = ["contacts", "knowledge", "forwardings", "glossary", "pronunciation"];

function masked(headers: Fields): Fields {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, /key|token|secret/i.test(name) ? "***" : value]),
  );
}

/**
 * Creates the five usual operations of the Public API's resources except calls, with the API rules for
 * deletes.
 */
export function createResources(state: ServiceState, setting: Setting): Handler {
  const { behavior, now, speed } = setting;

  function view(resource: Resource, row: Row, how: "one" | "list" | "get", fields?: Fields): Fields {
    const all = shown(row, behavior, how === "list", fields);
    if (resource.name === "knowledge") all["sync_status"] = { state: syncState(row) };
    if (resource.name === "tools") all["has_secret"] = all["secret"] !== undefined && all["secret"] !== null;
    for (const name of resource.name === "tools" ? ["secret"] : []) delete all[name];
    if (resource.name === "tools" && behavior.credentialHeaders === "***" && isFields(all["headers"]))
      all["headers"] = masked(all["headers"]);
    if (resource.name === "assistants" && isFields(all["pre_call_webhook"]))
      all["pre_call_webhook"] = shownWebhook(all["pre_call_webhook"], behavior);
    if (how !== "get") for (const name of resource.detail ?? []) delete all[name];
    return all;
  }

  /** Returns the indexing state of a knowledge item. Every change restarts indexing (public.states). */
  function syncState(row: Row): string {
    const states = behavior.syncStates;
    if (String(fieldsOf(row)["text"]).includes("UNREADABLE")) return "failed";
    const passed = (now() - (row.versions.at(-1)?.at ?? row.createdAt)) * speed;
    return states[Math.min(states.length - 1, Math.floor(passed / 1_000))] ?? "synced";
  }

  function list(resource: Resource, { query }: Call): ServiceResponse {
    const rows = state.everRows(resource.name);
    const filter =
      resource.name === "groups" ? "type" : resource.group === undefined ? undefined : "group_id";
    const filterValue = filter === undefined ? null : query.get(filter);
    meddle(resource, query);
    const all = listVisible(rows, setting).filter(
      ({ fields }) => filterValue === null || fields[filter ?? ""] === filterValue,
    );
    const page = toPage(all, { limit: query.get("limit"), cursor: query.get("cursor") }, behavior);
    return {
      status: 200,
      body: {
        data: page.rows.map(({ row, fields }) => view(resource, row, "list", fields)),
        meta: { has_more: page.next !== undefined, next_cursor: page.next ?? null },
      },
    };
  }

  /** Simulates other clients that change the group while a list is read. */
  function meddle({ name: resource }: Resource, query: URLSearchParams): void {
    const groupId = query.get("group_id");
    if (behavior.otherUser === "none" || query.get("cursor") === null || groupId === null) return;
    const own = state.rows(resource).filter(({ author }) => author === "otherUser");
    const model = own.find((row) => fieldsOf(row)["group_id"] === groupId);
    if (!model) return;
    if (behavior.otherUser === "deletes while pages are read") state.remove(model, "otherUser");
    else if (own.length < 12)
      state.insert(
        resource,
        { ...fieldsOf(model), first_name: `Neighbor ${own.length}`, phone_numbers: [] },
        "otherUser",
      );
  }

  function create(resource: Resource, { body }: Call): ServiceResponse {
    const fields = objectOf(body);
    for (const name of resource.required)
      if (typeof fields[name] !== "string" || fields[name] === "")
        throw createInvalid(name, `${name} is required`);
    assertFields(resource, fields);
    assertUnique(resource, fields);
    if (resource.name === "assistants" && isFields(fields["pre_call_webhook"]))
      fields["pre_call_webhook"] = mergedWebhook(undefined, fields);
    const row = state.insert(resource.name, withDefaults(resource, stored(fields, behavior)), "client");
    return { status: 201, body: { data: view(resource, row, "one") } };
  }

  function withDefaults(resource: Resource, fields: Fields): Fields {
    const base = resource.name === "knowledge" ? { active: true } : {};
    const defaults = behavior.fillsDefaults ? resource.defaults : {};
    const number = resource.name === "assistants" ? { phone_number: nextNumber(), carrier: "own" } : {};
    return { ...base, ...defaults, ...number, ...fields };
  }

  function nextNumber(): string {
    return `+493222${String(100_000 + state.rows("assistants").length)}`;
  }

  function assertFields({ group, name: resourceName }: Resource, fields: Fields): void {
    for (const name of ["phone_numbers", "emails"]) {
      const value = fields[name];
      if (value === undefined || resourceName !== "contacts") continue;
      if (!Array.isArray(value)) throw createInvalid(name, `${name} must be a list`);
      if (
        name === "phone_numbers" &&
        !value.every((entry) => /^(\+|00)[\d\s()/-]{6,30}$/.test(String(entry)))
      )
        throw createInvalid(name, "a phone number must be E.164");
    }
    // A client must omit a name without a value, because null is not a string.
    for (const name of ["first_name", "last_name"])
      if (resourceName === "contacts" && fields[name] !== undefined && typeof fields[name] !== "string")
        throw createInvalid(name, `${name} must be a text`);
    if (group === undefined || fields["group_id"] === undefined) return;
    const groupRow = state.get("groups", String(fields["group_id"]));
    if (groupRow === undefined || fieldsOf(groupRow)["type"] !== group) throw createNotFound("the group");
  }

  /**
   * Names of calendars and tools are unique. For names of groups, the documents specify a 409
   * (public.general).
   */
  function assertUnique({ name: resourceName }: Resource, fields: Fields, own?: Row): void {
    const isUnique =
      resourceName === "calendars" ||
      resourceName === "tools" ||
      (resourceName === "groups" && behavior.uniqueGroupNames);
    if (!isUnique || fields["name"] === undefined) return;
    const clashes = state
      .rows(resourceName)
      .filter((row) => row !== own && (resourceName !== "groups" || fieldsOf(row)["type"] === fields["type"]))
      .some((row) => normalize(fieldsOf(row)["name"]) === normalize(fields["name"]));
    if (clashes) throw createConflict(`there is one of the name ${String(fields["name"])}`);
  }

  function update(resource: Resource, row: Row, { body }: Call): ServiceResponse {
    const fields = objectOf(body);
    for (const name of resource.fixed ?? [])
      if (fields[name] !== undefined && fields[name] !== fieldsOf(row)[name])
        throw createInvalid(name, `${name} can't be changed`);
    assertFields(resource, fields);
    assertUnique(resource, { ...fieldsOf(row), ...fields }, row);
    const merged =
      resource.name === "assistants" && fields["pre_call_webhook"] !== undefined
        ? { ...fields, pre_call_webhook: mergedWebhook(fieldsOf(row)["pre_call_webhook"], fields) }
        : fields;
    state.change(row, stored(merged, behavior));
    return { status: 200, body: { data: view(resource, row, "one") } };
  }

  function remove(resource: Resource, row: Row): ServiceResponse {
    const used = isAssigned(state, resource.name, row.id);
    if (used) throw createConflict("it is assigned to an assistant");
    if (resource.name === "groups") {
      const { type } = fieldsOf(row);
      // The last group of a type can't be deleted. Deleting a group also deletes its content
      // (public.operations.1).
      if (state.rows("groups").filter((candidate) => fieldsOf(candidate)["type"] === type).length < 2)
        throw createConflict("it is the last group of its type");
      for (const itemResource of itemResources)
        for (const item of state.rows(itemResource))
          if (fieldsOf(item)["group_id"] === row.id) state.remove(item);
    }
    state.remove(row);
    return createEmptySuccess(behavior);
  }

  function toolsAt(name: string): Resource | undefined {
    return name === behavior.toolsPath ? byPath["tools"] : undefined;
  }

  return (call) => {
    const [name = "", id, ...remaining] = call.path;
    if (name === "ping" && call.method === "GET")
      return {
        status: 200,
        body: { data: { ok: true, now: new Date(now() + behavior.clockOff).toISOString() } },
      };
    if (name === "voices" && call.method === "GET")
      return {
        status: 200,
        body: { data: state.rows("voices").map((row) => ({ id: row.id, ...fieldsOf(row) })) },
      };
    const resource = name === "tools" || name === "custom-tools" ? toolsAt(name) : byPath[name];
    if (resource === undefined || remaining.length > 0) return undefined;
    if (id === undefined) {
      if (call.method === "GET") return list(resource, call);
      return call.method === "POST" ? create(resource, call) : undefined;
    }
    if (!/^[a-f0-9]{24}$/.test(id)) throw createInvalid(`${name}_id`, "the id is malformed");
    const row = state.get(resource.name, id);
    if (!["GET", "PATCH", "DELETE"].includes(call.method)) return undefined;
    if (row === undefined) throw createNotFound(`${resource.name} ${id}`);
    if (call.method === "GET") return { status: 200, body: { data: view(resource, row, "get") } };
    return call.method === "PATCH" ? update(resource, row, call) : remove(resource, row);
  };
}
