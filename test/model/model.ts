import { type ModelCall, normalizeNumber, recordingOf, statusOf } from "./calls.js";
import { type Body, fieldsOf, findProblems, groupTypes, isId, type Resource, toStored } from "./fields.js";
import { type Bucket, type LimitState, ModelLimiter } from "./limiter.js";
import { findWebhookProblems, formatWebhook, mergeWebhook, type StoredWebhook } from "./webhook.js";

/** A request with the model's own IDs. */
export interface ModelRequest {
  /** Name of an API key: `admin`, `stranger`, `wrong` … */
  key: string;
  method: string;
  path: string;
  query: Readonly<Record<string, string>>;
  body: Body | undefined;
}

/** A key's organization and permissions. `limits` replaces the deployment's limits (D-window). */
export interface ModelKey {
  organization: string;
  role: string;
  limits?: Record<Bucket, number>;
}

export interface Expected {
  status: number;
  code?: string;
  /** Sorted paths of the errors in a body. */
  paths?: string[];
  data?: unknown;
  hasMore?: boolean;
  /** Null if the response has no limit headers. */
  limitState: LimitState | null;
  retryAfter: boolean;
  created?: string;
  position?: Position | null;
}

/** The position at the end of a page, and the page's list. */
export interface Position {
  list: string;
  sequence: number;
  createdAt: number;
}

interface Item {
  id: string;
  resource: Resource;
  organization: string;
  sequence: number;
  fields: Record<string, unknown>;
  webhook: StoredWebhook | null;
  hasSecret: boolean;
  indexedAt: number;
  enterprise: boolean;
  blocked: readonly string[];
}

const codes: Readonly<Record<number, string>> = {
  400: "validation_failed",
  401: "unauthorized",
  402: "subscription_required",
  403: "forbidden",
  404: "not_found",
  409: "conflict",
  429: "rate_limit_exceeded",
};

class Refused {
  constructor(
    readonly status: number,
    readonly more: { code?: string; paths?: string[] } = {},
  ) {}
}

/** The permissions of each role (D-roles). As an exception, an editor can't delete recordings. */
const roles: Readonly<Record<string, (area: string, action: string) => boolean>> = {
  admin: () => true,
  editor: (area, action) => !(area === "call_logs.call_recording" && action === "delete"),
  caller: (area, action) => action === "read" || (area === "calls" && action === "write"),
  viewer: (_, action) => action === "read",
};

const areas: Readonly<Record<string, string>> = { "knowledge-items": "knowledge" };
const groupTypeOf: Readonly<Record<string, string>> = {
  contacts: "contacts",
  "knowledge-items": "knowledges",
  forwardings: "forwardings",
  glossary: "glossaries",
  pronunciation: "pronunciations",
};
const groupReferences: Readonly<Record<string, string>> = {
  knowledge_group_ids: "knowledges",
  glossary_group_ids: "glossaries",
  pronunciation_group_ids: "pronunciations",
  forwarding_group_ids: "forwardings",
};
const itemReferences: Readonly<Record<string, Resource>> = { calendar_ids: "calendars", tool_ids: "tools" };
/** Names of these resources must be unique (public.calendar.unique, D-group, D-tool). */
const uniqueNames: readonly Resource[] = ["calendars", "tools", "groups"];
const cooldownMilliseconds = 60_000;

/**
 * The Public API's state according to the service's documents and our decisions: independent of the emulator,
 * without files or sockets.
 */
export class Model {
  now: number;
  private readonly items = new Map<string, Item>();
  private readonly calls = new Map<string, ModelCall>();
  private readonly lastCallOf = new Map<string, number>();
  private readonly limiter: ModelLimiter;
  private sequence = 0;

  /**
   * @param keys by name
   * @param voices the IDs of the selectable voices
   */
  constructor(
    now: number,
    limits: Record<Bucket, number>,
    private readonly keys: Readonly<Record<string, ModelKey>>,
    private readonly voices: readonly string[],
  ) {
    this.now = now;
    this.limiter = new ModelLimiter(limits);
    for (const organization of new Set(Object.values(keys).map((key) => key.organization))) {
      // D-org
      for (const type of groupTypes) this.add("groups", organization, { type, name: "Default" });
    }
  }

  defaultGroup(organization: string, type: string): string {
    const match = this.all("groups", organization).find(({ fields }) => fields["type"] === type);
    if (!match) throw new Error(`no group of type ${type}`);
    return match.id;
  }

  has(id: string): boolean {
    return this.items.has(id);
  }

  /**
   * Applies settings that only the service's operator can change: an assistant's enterprise line and blocked numbers.
   */
  operate(assistant: string, change: { enterprise?: boolean; blocked?: readonly string[] }): void {
    const item = this.items.get(assistant);
    if (!item) return;
    if (change.enterprise !== undefined) item.enterprise = change.enterprise;
    if (change.blocked !== undefined) item.blocked = change.blocked;
  }

  /** Applies a request. The first failure determines the response (D-order). */
  take(request: ModelRequest, position?: Position | null): Expected {
    const [, resource = "", id, sub] = request.path.split("/");
    const known = isResource(resource) && isRoute(request.method, resource, id, sub);
    if (!known) return refusal(new Refused(404), null, false);
    const caller = this.keys[request.key];
    if (!caller) return refusal(new Refused(401), null, false);
    const isTrigger = request.method === "POST" && resource === "calls";
    const bucket = request.method === "GET" ? "read" : isTrigger ? "outbound_trigger" : "write";
    const limitState = this.limiter.take(request.key, bucket, this.now, caller.limits);
    if (!limitState.allowed) return refusal(new Refused(429), limitState, true);
    try {
      const action = request.method === "GET" ? "read" : request.method === "DELETE" ? "delete" : "write";
      const area = sub === "recording" ? "call_logs.call_recording" : (areas[resource] ?? resource);
      if (!roles[caller.role]?.(area, action)) throw new Refused(403);
      if (id !== undefined && !isId(id)) throw new Refused(400);
      const result = this.handle(request, caller.organization, resource, id, sub, position);
      return { ...result, limitState, retryAfter: false };
    } catch (error) {
      // The limiter's 429 has Retry-After, but the 429 of a cooldown has none (public.limits.1).
      if (error instanceof Refused) return refusal(error, limitState, false);
      throw error;
    }
  }

  private handle(
    request: ModelRequest,
    organization: string,
    resource: Resource,
    id: string | undefined,
    sub: string | undefined,
    position: Position | null | undefined,
  ): Pick<Expected, "status" | "data" | "hasMore" | "created" | "position"> {
    const { method } = request;
    if (id === undefined && method === "GET") return this.list(request, organization, resource, position);
    if (id === undefined) {
      const body = checkedBody(resource, request.body, true);
      return resource === "calls"
        ? this.trigger(body, organization)
        : this.create(resource, body, organization);
    }
    if (resource === "calls") {
      const call = this.calls.get(id);
      if (call?.organization !== organization) throw new Refused(404);
      if (sub === undefined) return { status: 200, data: { ...this.showCall(call), details: call.details } };
      return this.eraseRecording(call);
    }
    const body = method === "PATCH" ? checkedBody(resource, request.body, false) : {};
    const item = this.find(resource, organization, id);
    if (method === "PATCH") return this.update(item, body);
    if (method === "DELETE") return this.remove(item);
    return { status: 200, data: this.show(item, true) };
  }

  private create(resource: Resource, body: Body, organization: string) {
    const fields = toStored(resource, body, true);
    const sent = body["pre_call_webhook"] as Body | null | undefined;
    const webhook = resource === "assistants" ? mergeWebhook(null, sent) : null;
    if (webhook === "missing") throw new Refused(400);
    this.checkFields(resource, fields);
    this.checkReferences(resource, organization, fields, undefined);
    this.checkName(resource, organization, fields, undefined);
    const item = this.add(resource, organization, fields);
    item.webhook = webhook;
    item.hasSecret = typeof body["secret"] === "string";
    return { status: 201, data: this.show(item, false), created: item.id };
  }

  private update(item: Item, body: Body) {
    const changes = toStored(item.resource, body, false);
    const fields = { ...item.fields, ...changes };
    const webhook = mergeWebhook(item.webhook, body["pre_call_webhook"] as Body | null | undefined);
    this.checkFields(item.resource, fields);
    if (webhook === "missing") throw new Refused(400);
    this.checkReferences(item.resource, item.organization, changes, item);
    // An assistant of an enterprise line refuses any webhook, even an unchanged one (public.operations.7i, D-enterprise).
    if (item.enterprise && body["pre_call_webhook"] !== undefined) throw new Refused(409);
    this.checkName(item.resource, item.organization, fields, item);
    item.fields = fields;
    item.webhook = webhook;
    if (body["secret"] !== undefined) item.hasSecret = body["secret"] !== null;
    // Every PATCH starts the indexing, even an empty one (public.states.patch).
    item.indexedAt = this.now;
    return { status: 200, data: this.show(item, false) };
  }

  private remove(item: Item) {
    const { resource, organization, id } = item;
    const assistants = this.all("assistants", organization);
    const names = (field: string) => assistants.some(({ fields }) => namesId(fields[field], id));
    if (resource === "groups") {
      const type = item.fields["type"];
      const ofType = this.all("groups", organization).filter(({ fields }) => fields["type"] === type);
      // public.operations.1c
      if (ofType.length === 1) throw new Refused(409);
      // public.operations.1b
      if (Object.keys(groupReferences).some(names)) throw new Refused(409);
    }
    // Only prompt_id protects a prompt from deletion, not email_prompt_id (public.operations.3a,
    // public.operations.3b).
    if (resource === "prompts" && names("prompt_id")) throw new Refused(409);
    // public.operations.11c
    if (resource === "calendars" && names("calendar_ids")) throw new Refused(409);
    // D-tool
    if (resource === "tools" && names("tool_ids")) throw new Refused(409);
    this.items.delete(id);
    // public.operations.1a
    for (const candidate of this.items.values()) {
      if (resource === "groups" && candidate.fields["group_id"] === id) this.items.delete(candidate.id);
    }
    return { status: 200, data: {} };
  }

  private list(
    { path, query }: ModelRequest,
    organization: string,
    resource: Resource,
    position: Position | null | undefined,
  ) {
    const { limit = "50", cursor, ...filters } = query;
    if (!/^\d+$/.test(limit) || Number(limit) < 1 || Number(limit) > 200) throw new Refused(400);
    if (resource === "groups" && filters["type"] && !isGroupType(filters["type"])) throw new Refused(400);
    for (const filter of ["group_id", "assistant_id"]) {
      if (filters[filter] !== undefined && !isId(filters[filter])) throw new Refused(400);
    }
    const list = JSON.stringify([organization, path, Object.entries(filters).sort()]);
    // A cursor is valid only for its own list (public.general.9b, D-cursor).
    if (cursor !== undefined && position?.list !== list) throw new Refused(400);
    const after = cursor === undefined ? undefined : position;
    const rows =
      resource === "calls"
        ? this.callRows(organization, filters)
        : this.rows(resource, organization, filters);
    const ahead = rows.filter((row) => !after || isBehind(row, after, resource === "calls"));
    const page = ahead.slice(0, Number(limit));
    const last = page.at(-1);
    const hasMore = ahead.length > page.length;
    return {
      status: 200,
      data: page.map(({ shown }) => shown),
      hasMore,
      position: hasMore && last ? { list, sequence: last.sequence, createdAt: last.createdAt } : null,
    };
  }

  private rows(resource: Resource, organization: string, filters: Readonly<Record<string, string>>) {
    const field = resource === "groups" ? "type" : "group_id";
    const filterValue = filters[field];
    return this.all(resource, organization)
      .filter(({ fields }) => filterValue === undefined || fields[field] === filterValue)
      .map((item) => ({ sequence: item.sequence, createdAt: 0, shown: this.show(item, false) }));
  }

  private callRows(organization: string, { assistant_id }: Readonly<Record<string, string>>) {
    const calls = [...this.calls.values()].filter((call) => call.organization === organization);
    if (assistant_id !== undefined) {
      // An unknown assistant causes a 404, but a deleted assistant that has calls does not (D-call).
      const isKnown = this.items.get(assistant_id)?.organization === organization;
      if (!isKnown && !calls.some((call) => call.assistant === assistant_id)) throw new Refused(404);
    }
    return calls
      .filter((call) => assistant_id === undefined || call.assistant === assistant_id)
      .sort((a, b) => b.createdAt - a.createdAt || b.sequence - a.sequence)
      .map((call) => ({ sequence: call.sequence, createdAt: call.createdAt, shown: this.showCall(call) }));
  }

  private trigger(body: Body, organization: string) {
    // Exactly one field identifies the assistant, and one the destination (public.operations.12a,
    // public.operations.12b).
    const has = (field: string) => (Object.hasOwn(body, field) ? 1 : 0);
    if (has("assistant_id") + has("assistant_phone") !== 1) throw new Refused(400);
    if (has("to") + has("target_phone") !== 1) throw new Refused(400);
    const sent = String(body["to"] ?? body["target_phone"]);
    const to = normalizeNumber(sent);
    const number = String(body["assistant_phone"] ?? "");
    const id = String(body["assistant_id"] ?? number.replace(/^phone-/, "id-"));
    if (to === undefined) throw new Refused(400, { paths: [has("to") ? "to" : "target_phone"] });
    const assistant = this.find("assistants", organization, id);
    // A blocked destination is refused even during a cooldown, and starts no cooldown (public.operations.12f,
    // D-cooldown).
    if (assistant.blocked.includes(to)) throw new Refused(409, { code: "outbound_target_blocked" });
    // public.limits.1
    const last = this.lastCallOf.get(id);
    if (last !== undefined && this.now < last + cooldownMilliseconds) throw new Refused(429);
    this.lastCallOf.set(id, this.now);
    this.sequence += 1;
    const details = typeof body["details"] === "string" ? body["details"] : null;
    const call: ModelCall = {
      id: `id-${this.sequence}`,
      organization,
      sequence: this.sequence,
      assistant: id,
      to,
      details,
      createdAt: this.now,
      erased: false,
    };
    this.calls.set(call.id, call);
    const data = {
      call_id: call.id,
      assistant_id: id,
      assistant_phone: phoneOf(id),
      to,
      status: "queued",
      created_at: new Date(this.now).toISOString(),
    };
    return { status: 201, data, created: call.id };
  }

  /** public.operations.14 */
  private eraseRecording(call: ModelCall) {
    const recording = recordingOf(call, this.now);
    if (recording === "none") throw new Refused(404);
    if (recording === "later") throw new Refused(409);
    call.erased = true;
    return { status: 200, data: {} };
  }

  private showCall(call: ModelCall): Body {
    return {
      id: call.id,
      assistant_id: call.assistant,
      direction: "outbound",
      to: call.to,
      status: statusOf(call, this.now),
      created_at: new Date(call.createdAt).toISOString(),
      recording: { available: recordingOf(call, this.now) === "there" },
    };
  }

  private show(item: Item, isDetail: boolean): Body {
    const { resource, fields, id } = item;
    const shown: Record<string, unknown> = { id, ...fields };
    if (resource === "knowledge-items") {
      // public.knowledge.text
      if (!isDetail) delete shown["text"];
      // Indexing starts 1 s and ends 3 s after the request (D-knowledge).
      const seconds = (this.now - item.indexedAt) / 1000;
      const state = seconds < 1 ? "pending" : seconds < 3 ? "syncing" : "synced";
      shown["sync_status"] = { state, error: null };
    }
    if (resource === "prompts") shown["rating"] = null;
    if (resource === "tools") shown["has_secret"] = item.hasSecret;
    if (resource === "assistants") {
      shown["phone_number"] = phoneOf(id);
      shown["pre_call_webhook"] = formatWebhook(item.webhook);
    }
    return shown;
  }

  private add(resource: Resource, organization: string, fields: Record<string, unknown>): Item {
    this.sequence += 1;
    const item: Item = {
      id: `id-${this.sequence}`,
      resource,
      organization,
      sequence: this.sequence,
      fields,
      webhook: null,
      hasSecret: false,
      indexedAt: this.now,
      enterprise: false,
      blocked: [],
    };
    this.items.set(item.id, item);
    return item;
  }

  private all(resource: Resource, organization: string): Item[] {
    return [...this.items.values()].filter(
      (item) => item.resource === resource && item.organization === organization,
    );
  }

  /**
   * Finds a resource. For a resource of another organization, throws the same 404 as for no resource
   * (public.errors.4).
   */
  private find(resource: Resource, organization: string, id: string): Item {
    const item = this.items.get(id);
    if (item?.resource !== resource || item.organization !== organization) throw new Refused(404);
    return item;
  }

  private checkFields(resource: Resource, fields: Body): void {
    if (resource === "forwardings") {
      // A PATCH must not make a forwarding invalid (public.operations.8b, public.operations.8c,
      // D-forwarding).
      if (fields["destination_type"] === "sip" && !fields["sip_uri"]) throw new Refused(400);
      if (fields["destination_type"] === "sip_refer" && !fields["sip_refer_target"]) throw new Refused(400);
    }
    // A pronunciation rule requires another field besides its token (D-pronunciation).
    if (resource === "pronunciation" && !fields["replacement"] && !fields["spell_out"])
      throw new Refused(400);
  }

  private checkReferences(
    resource: Resource,
    organization: string,
    fields: Body,
    before: Item | undefined,
  ): void {
    const groupType = groupTypeOf[resource];
    if (groupType && fields["group_id"] !== undefined)
      this.checkGroup(organization, fields["group_id"], groupType);
    if (resource !== "assistants") return;
    const voice = fields["voice_id"];
    // An assistant can keep a voice that can no longer be selected (D-voice).
    if (voice !== undefined && voice !== before?.fields["voice_id"] && !this.voices.includes(String(voice)))
      throw new Refused(404);
    // D-prompt
    for (const [field, promptKind] of [
      ["prompt_id", "answering"],
      ["email_prompt_id", "email"],
    ] as const) {
      const id = fields[field];
      if (id === undefined || id === null) continue;
      if (this.find("prompts", organization, String(id)).fields["kind"] !== promptKind)
        throw new Refused(404);
    }
    for (const [field, type] of Object.entries(groupReferences)) {
      for (const id of idsOf(fields[field])) this.checkGroup(organization, id, type);
    }
    for (const [field, target] of Object.entries(itemReferences)) {
      for (const id of idsOf(fields[field])) this.find(target, organization, id);
    }
  }

  /**
   * A group must exist and have the item's type (public.group.own-type, public.contact.group,
   * public.operations.8a, public.operations.10).
   */
  private checkGroup(organization: string, id: unknown, type: string): void {
    if (this.find("groups", organization, String(id)).fields["type"] !== type) throw new Refused(404);
  }

  private checkName(resource: Resource, organization: string, fields: Body, self: Item | undefined): void {
    if (!uniqueNames.includes(resource)) return;
    const isTaken = this.all(resource, organization).some(
      (item) =>
        item !== self && item.fields["name"] === fields["name"] && item.fields["type"] === fields["type"],
    );
    if (isTaken) throw new Refused(409);
  }
}

function isResource(text: string): text is Resource {
  return Object.hasOwn(fieldsOf, text);
}

function isRoute(
  method: string,
  resource: Resource,
  id: string | undefined,
  sub: string | undefined,
): boolean {
  if (sub !== undefined) return resource === "calls" && sub === "recording" && method === "DELETE";
  if (id === undefined) return method === "GET" || method === "POST";
  if (resource === "calls") return method === "GET";
  return method === "GET" || method === "PATCH" || method === "DELETE";
}

function checkedBody(resource: Resource, body: Body | undefined, isCreate: boolean): Body {
  // D-body
  if (body === undefined) throw new Refused(400);
  const paths = [...findProblems(resource, body, isCreate)];
  if (resource === "assistants") paths.push(...findWebhookProblems(body["pre_call_webhook"]));
  if (paths.length > 0) throw new Refused(400, { paths: [...new Set(paths)].sort() });
  return body;
}

function refusal({ status, more }: Refused, limitState: LimitState | null, retryAfter: boolean): Expected {
  return {
    status,
    code: more.code ?? codes[status] ?? "",
    ...(more.paths && { paths: more.paths }),
    limitState,
    retryAfter,
  };
}

function isGroupType(text: string): boolean {
  return (groupTypes as readonly string[]).includes(text);
}

/** Calls are listed newest first, other rows oldest first. */
function isBehind(
  row: { sequence: number; createdAt: number },
  { sequence, createdAt }: Position,
  isNewestFirst: boolean,
): boolean {
  if (!isNewestFirst) return row.sequence > sequence;
  return row.createdAt < createdAt || (row.createdAt === createdAt && row.sequence < sequence);
}

function idsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function namesId(value: unknown, id: string): boolean {
  return value === id || idsOf(value).includes(id);
}

/** Returns a placeholder for the assigned number, because the model can't predict it. */
function phoneOf(id: string): string {
  return id.replace(/^id-/, "phone-");
}
