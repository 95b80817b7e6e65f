import { assignments, mergedWebhook, shownWebhook } from "./assistants.js";
import { type Answer, conflict, type Fields, invalid, isFields, notFound, objectOf } from "./exchange.js";
import { listed, pageOf } from "./lists.js";
import type { Call, Handler } from "./service.js";
import { emptySuccess } from "./shapes.js";
import { normalized, shown, stored } from "./values.js";
import { fieldsOf, type Row, type Setting, type World } from "./world.js";

/** A resource as the documents describe it, as far as they do. */
interface Resource {
  kind: string;
  /** Type of the group that its items are in. */
  group?: string;
  required: readonly string[];
  /** Answered by a get only (public.knowledge.text). */
  detail?: readonly string[];
  fixed?: readonly string[];
  defaults: Fields;
}

const byPath: Readonly<Record<string, Resource>> = {
  contacts: {
    kind: "contacts",
    group: "contacts",
    required: ["group_id", "first_name"],
    defaults: { last_name: "Unknown", salutation: "none", country: "DE" },
  },
  groups: { kind: "groups", required: ["type", "name"], fixed: ["type"], defaults: { color: "grey" } },
  "knowledge-items": {
    kind: "knowledge",
    group: "knowledges",
    required: ["group_id", "name", "text"],
    detail: ["text"],
    defaults: { language: "de" },
  },
  prompts: { kind: "prompts", required: ["name"], defaults: { rating: null } },
  assistants: {
    kind: "assistants",
    required: ["name", "language", "voice_id", "company_name", "company_industry", "introduction"],
    defaults: { timezone: "Europe/Berlin" },
  },
  forwardings: {
    kind: "forwardings",
    group: "forwardings",
    required: ["group_id"],
    fixed: ["group_id"],
    defaults: { type: "standard", timeout: 30 },
  },
  glossary: {
    kind: "glossary",
    group: "glossaries",
    required: ["group_id", "term"],
    fixed: ["group_id"],
    defaults: { case_sensitive: false },
  },
  pronunciation: {
    kind: "pronunciation",
    group: "pronunciations",
    required: ["group_id", "token"],
    fixed: ["group_id"],
    defaults: { spell_out: false },
  },
  calendars: { kind: "calendars", required: ["name"], defaults: { timezone: "Europe/Berlin" } },
  tools: { kind: "tools", required: ["name", "url"], defaults: { method: "POST" } },
};

const itemKinds = ["contacts", "knowledge", "forwardings", "glossary", "pronunciation"];

/** Headers without the values of credentials. */
function masked(headers: Fields): Fields {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, /key|token|secret/i.test(name) ? "***" : value]),
  );
}

/** The Public API's resources but calls: the five usual operations, and the rules about deletes. */
export function createResources(world: World, setting: Setting): Handler {
  const { behaviour, now, speed } = setting;

  function view(resource: Resource, row: Row, how: "one" | "list" | "get", fields?: Fields): Fields {
    const all = shown(row, behaviour, how === "list", fields);
    if (resource.kind === "knowledge") all["sync_status"] = { state: syncState(row) };
    if (resource.kind === "tools") all["has_secret"] = all["secret"] !== undefined && all["secret"] !== null;
    for (const name of resource.kind === "tools" ? ["secret"] : []) delete all[name];
    if (resource.kind === "tools" && behaviour.credentialHeaders === "***" && isFields(all["headers"]))
      all["headers"] = masked(all["headers"]);
    if (resource.kind === "assistants" && isFields(all["pre_call_webhook"]))
      all["pre_call_webhook"] = shownWebhook(all["pre_call_webhook"], behaviour);
    if (how !== "get") for (const name of resource.detail ?? []) delete all[name];
    return all;
  }

  /** public.states: an index takes a moment, and every change begins it anew. */
  function syncState(row: Row): string {
    const states = behaviour.syncStates;
    if (String(fieldsOf(row)["text"]).includes("UNREADABLE")) return "failed";
    const passed = (now() - (row.versions.at(-1)?.at ?? row.createdAt)) * speed;
    return states[Math.min(states.length - 1, Math.floor(passed / 1_000))] ?? "synced";
  }

  function list(resource: Resource, { query }: Call): Answer {
    const rows = world.everRows(resource.kind);
    const filter =
      resource.kind === "groups" ? "type" : resource.group === undefined ? undefined : "group_id";
    const wanted = filter === undefined ? null : query.get(filter);
    meddle(resource, query);
    const all = listed(rows, setting).filter(
      ({ fields }) => wanted === null || fields[filter ?? ""] === wanted,
    );
    const page = pageOf(all, { limit: query.get("limit"), cursor: query.get("cursor") }, behaviour);
    return {
      status: 200,
      body: {
        data: page.rows.map(({ row, fields }) => view(resource, row, "list", fields)),
        meta: { has_more: page.next !== undefined, next_cursor: page.next ?? null },
      },
    };
  }

  /** Others work in the same group while a list is read. */
  function meddle({ kind }: Resource, query: URLSearchParams): void {
    const groupId = query.get("group_id");
    if (behaviour.neighbour === "nobody" || query.get("cursor") === null || groupId === null) return;
    const own = world.rows(kind).filter(({ author }) => author === "neighbour");
    const model = own.find((row) => fieldsOf(row)["group_id"] === groupId);
    if (!model) return;
    if (behaviour.neighbour === "deletes while pages are read") world.remove(model, "neighbour");
    else if (own.length < 12)
      world.insert(
        kind,
        { ...fieldsOf(model), first_name: `Neighbour ${own.length}`, phone_numbers: [] },
        "neighbour",
      );
  }

  function create(resource: Resource, { body }: Call): Answer {
    const fields = objectOf(body);
    for (const name of resource.required)
      if (typeof fields[name] !== "string" || fields[name] === "") throw invalid(name, `${name} is required`);
    assertFields(resource, fields);
    assertUnique(resource, fields);
    if (resource.kind === "assistants" && isFields(fields["pre_call_webhook"]))
      fields["pre_call_webhook"] = mergedWebhook(undefined, fields);
    const row = world.insert(resource.kind, withDefaults(resource, stored(fields, behaviour)), "client");
    return { status: 201, body: { data: view(resource, row, "one") } };
  }

  function withDefaults(resource: Resource, fields: Fields): Fields {
    const base = resource.kind === "knowledge" ? { active: true } : {};
    const defaults = behaviour.fillsDefaults ? resource.defaults : {};
    const number = resource.kind === "assistants" ? { phone_number: nextNumber(), carrier: "own" } : {};
    return { ...base, ...defaults, ...number, ...fields };
  }

  function nextNumber(): string {
    return `+493222${String(100_000 + world.rows("assistants").length)}`;
  }

  function assertFields({ group, kind }: Resource, fields: Fields): void {
    for (const name of ["phone_numbers", "emails"]) {
      const value = fields[name];
      if (value === undefined || kind !== "contacts") continue;
      if (!Array.isArray(value)) throw invalid(name, `${name} must be a list`);
      if (name === "phone_numbers" && !value.every((one) => /^(\+|00)[\d\s()/-]{6,30}$/.test(String(one))))
        throw invalid(name, "a phone number must be E.164");
    }
    // A field that has no value is left out; a null is no text.
    for (const name of ["first_name", "last_name"])
      if (kind === "contacts" && fields[name] !== undefined && typeof fields[name] !== "string")
        throw invalid(name, `${name} must be a text`);
    if (group === undefined || fields["group_id"] === undefined) return;
    const found = world.get("groups", String(fields["group_id"]));
    if (found === undefined || fieldsOf(found)["type"] !== group) throw notFound("the group");
  }

  /** public.general: names of calendars are unique; of groups a 409 is listed. */
  function assertUnique({ kind }: Resource, fields: Fields, own?: Row): void {
    const isUnique =
      kind === "calendars" || kind === "tools" || (kind === "groups" && behaviour.uniqueGroupNames);
    if (!isUnique || fields["name"] === undefined) return;
    const clashes = world
      .rows(kind)
      .filter((row) => row !== own && (kind !== "groups" || fieldsOf(row)["type"] === fields["type"]))
      .some((row) => normalized(fieldsOf(row)["name"]) === normalized(fields["name"]));
    if (clashes) throw conflict(`there is one of the name ${String(fields["name"])}`);
  }

  function update(resource: Resource, row: Row, { body }: Call): Answer {
    const fields = objectOf(body);
    for (const name of resource.fixed ?? [])
      if (fields[name] !== undefined && fields[name] !== fieldsOf(row)[name])
        throw invalid(name, `${name} can't be changed`);
    assertFields(resource, fields);
    assertUnique(resource, { ...fieldsOf(row), ...fields }, row);
    const merged =
      resource.kind === "assistants" && fields["pre_call_webhook"] !== undefined
        ? { ...fields, pre_call_webhook: mergedWebhook(fieldsOf(row)["pre_call_webhook"], fields) }
        : fields;
    world.change(row, stored(merged, behaviour));
    return { status: 200, body: { data: view(resource, row, "one") } };
  }

  function remove(resource: Resource, row: Row): Answer {
    const used = assignments(world, resource.kind, row.id);
    if (used) throw conflict("it is assigned to an assistant");
    if (resource.kind === "groups") {
      const { type } = fieldsOf(row);
      // public.operations.1: not the last of its type; everything in it goes, too.
      if (world.rows("groups").filter((other) => fieldsOf(other)["type"] === type).length < 2)
        throw conflict("it is the last group of its type");
      for (const kind of itemKinds)
        for (const item of world.rows(kind)) if (fieldsOf(item)["group_id"] === row.id) world.remove(item);
    }
    world.remove(row);
    return emptySuccess(behaviour);
  }

  function toolsAt(name: string): Resource | undefined {
    return name === behaviour.toolsPath ? byPath["tools"] : undefined;
  }

  return (call) => {
    const [name = "", id, ...rest] = call.path;
    if (name === "ping" && call.method === "GET")
      return {
        status: 200,
        body: { data: { ok: true, now: new Date(now() + behaviour.clockOff).toISOString() } },
      };
    if (name === "voices" && call.method === "GET")
      return {
        status: 200,
        body: { data: world.rows("voices").map((row) => ({ id: row.id, ...fieldsOf(row) })) },
      };
    const resource = name === "tools" || name === "custom-tools" ? toolsAt(name) : byPath[name];
    if (resource === undefined || rest.length > 0) return undefined;
    if (id === undefined) {
      if (call.method === "GET") return list(resource, call);
      return call.method === "POST" ? create(resource, call) : undefined;
    }
    if (!/^[a-f0-9]{24}$/.test(id)) throw invalid(`${name}_id`, "the id is malformed");
    const row = world.get(resource.kind, id);
    if (!["GET", "PATCH", "DELETE"].includes(call.method)) return undefined;
    if (row === undefined) throw notFound(`${resource.kind} ${id}`);
    if (call.method === "GET") return { status: 200, body: { data: view(resource, row, "get") } };
    return call.method === "PATCH" ? update(resource, row, call) : remove(resource, row);
  };
}
