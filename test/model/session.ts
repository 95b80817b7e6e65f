import { expect } from "vitest";
import { type Emulator, openEmulator } from "../../src/emulator/index.js";
import { startTime } from "../helpers/templates.js";
import { isObject } from "./fields.js";
import { type Expected, Model, type ModelKey, type Position } from "./model.js";
import { beginning, type Request, type Step, secretMark } from "./steps.js";

/** The deployment's own limits, low enough for the sequences to reach them. */
const limits = { read: 12, write: 15, outbound_trigger: 3 };
const plenty = { read: 1_000_000, write: 1_000_000, outbound_trigger: 1_000_000 };
const nobody = "0123456789abcdef01234567";
const groupTypes = ["contacts", "knowledges", "forwardings", "glossaries", "pronunciations"];
/** All lists, to compare the complete state. */
const lists = [
  "groups",
  "contacts",
  "knowledge-items",
  "forwardings",
  "glossary",
  "pronunciation",
  "prompts",
  "calendars",
  "tools",
  "assistants",
  "calls",
];

const ofLimits = new Set(["limit", "remaining", "reset"]);

/** Every sequence starts with a copy of this emulator. */
export interface Stage {
  emulator: Emulator;
  keys: Readonly<Record<string, string>>;
  modelKeys: Readonly<Record<string, ModelKey>>;
  ids: Readonly<Record<string, string>>;
}

export async function openStage(): Promise<Stage> {
  const emulator = await openEmulator({ clock: "virtual", startTime, seed: "empty", limits });
  const otherOrganization = await emulator.control("POST", "/organizations", { name: "Stranger" });
  const otherOrganizationId = field(otherOrganization, "id");
  const newKey = async (body: object) => field(await emulator.control("POST", "/keys", body), "key");
  const legacyVoice = await emulator.control("POST", "/voices", {
    name: "Old",
    generation: "v1",
    selectable: false,
  });
  const { admin, editor, caller, viewer } = emulator.startLine.keys;
  const observer = await newKey({ kind: "public", limits: plenty });
  const otherObserver = await newKey({
    kind: "public",
    organization_id: otherOrganizationId,
    limits: plenty,
  });
  const keys = {
    admin,
    editor,
    caller,
    viewer,
    observer,
    observingStranger: otherObserver,
    stranger: await newKey({ kind: "public", organization_id: otherOrganizationId }),
    wrong: "nobody",
  };
  const ids: Record<string, string> = { "v.legacy": field(legacyVoice, "id") };
  const read = async (key: string, path: string) => {
    const request = new Request(`http://emulator.localhost/api/v1${path}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    return rowsOf(await (await emulator.fetch(request)).json());
  };
  for (const [prefix, key] of [
    ["", observer],
    ["s.", otherObserver],
  ] as const) {
    for (const group of await read(key, "/groups")) ids[prefix + field(group, "type")] = field(group, "id");
  }
  (await read(observer, "/voices")).slice(0, 2).forEach((voice, index) => {
    ids[`v${index + 1}`] = field(voice, "id");
  });
  const role = (name: string, organization = "home"): ModelKey => ({ organization, role: name });
  return {
    emulator,
    keys,
    ids,
    modelKeys: {
      admin: role("admin"),
      editor: role("editor"),
      caller: role("caller"),
      viewer: role("viewer"),
      stranger: role("admin", "away"),
      observer: { ...role("admin"), limits: plenty },
      observingStranger: { ...role("admin", "away"), limits: plenty },
    },
  };
}

/** Runs the same steps in an emulator and in the model, and compares each response. */
export class Session {
  readonly model: Model;
  private readonly names = new Map<string, { real: string; model: string }>();
  /** The model's IDs and phone numbers, by the emulator's IDs and phone numbers. */
  private readonly toModel = new Map<string, string>();
  private readonly realPhones = new Map<string, string>();
  private listed: Request = { key: "admin", method: "GET", path: "/groups" };
  private cursor: { real: string; position: Position | null } = { real: "none", position: null };

  private constructor(
    private readonly stage: Stage,
    private readonly emulator: Emulator,
  ) {
    this.model = new Model(Date.parse(startTime), limits, stage.modelKeys, ["id-9000001", "id-9000002"]);
    for (const type of groupTypes) {
      this.bind(type, stage.ids[type] ?? "", this.model.defaultGroup("home", type));
      this.bind(`s.${type}`, stage.ids[`s.${type}`] ?? "", this.model.defaultGroup("away", type));
    }
  }

  static async open(stage: Stage): Promise<Session> {
    const session = new Session(stage, await stage.emulator.fork());
    // Bind the initial voices. Assistants can't select the voice `v.legacy`.
    for (const [name, model] of [
      ["v1", "id-9000001"],
      ["v2", "id-9000002"],
      ["v.legacy", "id-9000003"],
    ] as const) {
      session.bind(name, stage.ids[name] ?? "", model);
    }
    for (const request of beginning) await session.request(request);
    return session;
  }

  async close(): Promise<void> {
    await this.emulator.close();
  }

  /** Runs a step. @throws if emulator and model differ */
  async take(step: Step): Promise<void> {
    if ("advance" in step) {
      await this.emulator.control("PATCH", "/clock", { advance_seconds: step.advance });
      this.model.now += step.advance * 1000;
    } else if ("next" in step) {
      const { path, query, key } = this.listed;
      await this.request({
        key,
        method: "GET",
        path,
        query: { ...query, ...step.next, cursor: "{{cursor}}" },
      });
    } else if ("operate" in step) {
      const bound = this.names.get(step.operate);
      // The operator can change settings only of an existing assistant.
      if (!bound || !this.model.has(bound.model)) return;
      const { operate: _, ...change } = step;
      await this.emulator.control("PATCH", `/assistants/${bound.real}`, change);
      this.model.operate(bound.model, {
        ...(change.enterprise !== undefined && { enterprise: change.enterprise }),
        ...(change.blocked_numbers && { blocked: change.blocked_numbers }),
      });
    } else {
      await this.request(step.request);
    }
  }

  async compareAll(): Promise<void> {
    for (const key of ["observer", "observingStranger"]) {
      for (const list of lists)
        await this.request({ key, method: "GET", path: `/${list}`, query: { limit: "200" } });
    }
  }

  private async request(request: Request): Promise<void> {
    const { key, method, creates } = request;
    const real = this.resolved(request, "real");
    const modelRequest = this.resolved(request, "model");
    const { query = {} } = modelRequest;
    const expected = this.model.take(
      { key, method, path: modelRequest.path, query, body: modelRequest.body },
      query["cursor"] === undefined ? undefined : this.cursor.position,
    );
    const secret = this.stage.keys[key];
    const response = await this.emulator.fetch(
      new Request(`http://emulator.localhost/api/v1${real.path}${search(real.query)}`, {
        method,
        headers: {
          ...(secret !== undefined && { authorization: `Bearer ${secret}` }),
          ...(real.body && { "content-type": "application/json" }),
        },
        ...(real.body && { body: JSON.stringify(real.body) }),
      }),
    );
    const text = await response.text();
    expect(text).not.toContain(secretMark);
    const parsed: unknown = JSON.parse(text);
    if (expected.created !== undefined) this.bindCreated(creates ?? "", parsed, expected.created);
    this.compare(modelRequest, response, JSON.parse(this.translated(text)), expected);
    if (expected.position !== undefined) {
      this.listed = request;
      const meta = isObject(parsed) ? parsed["meta"] : undefined;
      const next = isObject(meta) ? meta["next_cursor"] : undefined;
      this.cursor = { real: typeof next === "string" ? next : "none", position: expected.position };
    }
  }

  private compare(request: Request, response: Response, parsed: unknown, expected: Expected): void {
    const body = isObject(parsed) ? parsed : {};
    const error = isObject(body["error"]) ? body["error"] : {};
    const { headers } = response;
    const seen: Record<string, unknown> = {
      status: response.status,
      code: error["code"],
      limit: headers.get("x-ratelimit-limit"),
      remaining: headers.get("x-ratelimit-remaining"),
      reset: headers.get("x-ratelimit-reset"),
      retryAfter: headers.get("retry-after"),
    };
    const { limitState } = expected;
    const expectedValues: Record<string, unknown> = {
      status: expected.status,
      code: expected.code,
      limit: limitState && String(limitState.limit),
      remaining: limitState && String(limitState.remaining),
      reset: limitState && String(limitState.reset),
      retryAfter: limitState && expected.retryAfter ? String(limitState.retryAfter) : null,
    };
    if (expected.paths) {
      seen["paths"] = pathsOf(error["details"]);
      expectedValues["paths"] = expected.paths;
    }
    if (expected.hasMore !== undefined) {
      const meta = isObject(body["meta"]) ? body["meta"] : {};
      Object.assign(seen, { hasMore: meta["has_more"], hasCursor: typeof meta["next_cursor"] === "string" });
      Object.assign(expectedValues, { hasMore: expected.hasMore, hasCursor: expected.hasMore });
    }
    const rule = headers.get("x-emulator-rule");
    if (expected.data !== undefined) {
      seen["data"] = body["data"];
      expectedValues["data"] = expected.data;
    }
    for (const name of Object.keys(expectedValues)) {
      // The observers' keys also created the initial state, so the emulator counted more requests than the
      // model.
      if (request.key.startsWith("observ") && ofLimits.has(name)) continue;
      expect(
        { [name]: seen[name] },
        `${JSON.stringify(request)}: the model expects ${name} ${JSON.stringify(expectedValues[name])}, the emulator answers ${JSON.stringify(seen[name])} (${rule ?? "no rule"})`,
      ).toMatchObject({ [name]: expectedValues[name] });
    }
  }

  private bind(name: string, real: string, model: string): void {
    this.names.set(name, { real, model });
    this.toModel.set(real, model);
  }

  private bindCreated(name: string, parsed: unknown, model: string): void {
    const data = isObject(parsed) && isObject(parsed["data"]) ? parsed["data"] : {};
    this.bind(name, String(data["id"] ?? data["call_id"]), model);
    const phone = data["phone_number"];
    if (typeof phone === "string" && "carrier" in data) {
      this.realPhones.set(name, phone);
      this.toModel.set(phone, model.replace(/^id-/, "phone-"));
    }
  }

  /** Replaces the names in a request with the IDs of the emulator or of the model. */
  private resolved(request: Request, side: "real" | "model"): Request {
    const text = JSON.stringify(request).replace(/\{\{([^}]+)\}\}/g, (_, name: string) => {
      if (name === "cursor") return this.cursor.real;
      const [resourceName = "", part] = name.split(".");
      if (part !== "phone") return this.names.get(name)?.[side] ?? nobody;
      const phone = this.realPhones.get(resourceName) ?? "+4932999999999";
      return side === "real" ? phone : (this.toModel.get(phone) ?? phone);
    });
    return JSON.parse(text);
  }

  /** Converts a response to the model's IDs and numbers. */
  private translated(text: string): string {
    return text.replace(/\b[a-f0-9]{24}\b|\+\d{6,20}/g, (id) => this.toModel.get(id) ?? id);
  }
}

function field(value: unknown, name: string): string {
  return isObject(value) ? String(value[name]) : "";
}

function rowsOf(page: unknown): unknown[] {
  return isObject(page) && Array.isArray(page["data"]) ? page["data"] : [];
}

function search(query: Readonly<Record<string, string>> | undefined): string {
  return query ? `?${new URLSearchParams(query)}` : "";
}

/** Returns the invalid fields in the model's form: top-level fields, or fields directly in a webhook. */
function pathsOf(details: unknown): string[] {
  const paths = (Array.isArray(details) ? details : []).map((entry: unknown) => {
    const path = isObject(entry) && Array.isArray(entry["path"]) ? entry["path"] : [];
    return path.slice(0, path[0] === "pre_call_webhook" ? 2 : 1).join(".");
  });
  return [...new Set(paths)].sort();
}
