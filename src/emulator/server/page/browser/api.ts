import type { Control } from "./control.js";
import { type Row, rowOf, rowsOf, text } from "./rows.js";

export interface Key {
  id: string;
  name: string;
  kind: string;
  status: string;
  organizationId: string;
}

export interface ApiResponse {
  status: number;
  ok: boolean;
  /** The parsed body, or its text if the body is not JSON. */
  body: unknown;
  data: unknown;
  code: string;
  message: string;
  details: readonly Row[];
  rule: string;
  method: string;
  path: string;
}

export interface Api {
  keys(): readonly Key[];
  readKeys(): Promise<readonly Key[]>;
  picked(): Key | undefined;
  pick(id: string): void;
  /**
   * Calls the listener when a different key is selected or the list of keys changes.
   * @returns a function that unsubscribes
   */
  subscribe(listener: () => void): () => void;
  /** Keeps the value of a new key, because the emulator returns the value only once. */
  remember(id: string, value: string): void;
  keyValue(id: string): Promise<string | undefined>;
  /**
   * Sends a request, without retries.
   * @param path complete path, such as `/api/v1/contacts`
   */
  send(method: string, path: string, body?: string, more?: Sending): Promise<ApiResponse>;
  bytes(path: string): Promise<{ response: ApiResponse; blob: Blob | undefined }>;
}

interface Sending {
  keyId?: string | undefined;
  headers?: Readonly<Record<string, string>>;
}

const storageName = "voxctl-key";

/** Thrown if no response arrives, for example because a fault closed the connection. */
class UnansweredError extends Error {}

export function createApi(control: Control): Api {
  let keys: readonly Key[] = [];
  let pickedId = sessionStorage.getItem(storageName) ?? "";
  const values = new Map<string, string>();
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const listener of listeners) listener();
  };

  const usable = () => keys.filter(({ kind, status }) => kind === "public" && status === "active");
  const picked = () => usable().find(({ id }) => id === pickedId) ?? usable()[0];

  async function keyValue(id: string): Promise<string | undefined> {
    const kept = values.get(id);
    if (kept !== undefined) return kept;
    const value = rowOf(await control.get(`/keys/${encodeURIComponent(id)}`))["key"];
    return typeof value === "string" ? value : undefined;
  }

  async function ask(
    method: string,
    path: string,
    body: string | undefined,
    more: Sending,
  ): Promise<Response> {
    const id = more.keyId ?? picked()?.id;
    const value = id === undefined ? undefined : await keyValue(id);
    if (value === undefined)
      throw new Error("The value of this key was shown only when the key was created. Select another key.");
    return fetch(path, {
      method,
      headers: {
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...more.headers,
        Authorization: `Bearer ${value}`,
        // Identifies requests from this page in the log.
        "X-Emulator-UI": "1",
      },
      credentials: "omit",
      cache: "no-store",
      redirect: "error",
      ...(body === undefined ? {} : { body }),
    }).catch(() => {
      throw new UnansweredError(`${method} ${path} got no response because the connection was closed.`);
    });
  }

  return {
    keys: () => keys,
    async readKeys() {
      keys = rowsOf(await control.get("/keys")).map((row) => ({
        id: text(row, "id"),
        name: text(row, "name"),
        kind: text(row, "kind"),
        status: text(row, "status"),
        organizationId: text(row, "organization_id"),
      }));
      changed();
      return keys;
    },
    picked,
    pick(id) {
      pickedId = id;
      sessionStorage.setItem(storageName, id);
      changed();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    remember: (id, value) => void values.set(id, value),
    keyValue,
    async send(method, path, body, more = {}) {
      const response = await ask(method, path, body, more);
      return toApiResponse(method, path, response, await response.text().catch(() => ""));
    },
    async bytes(path) {
      const response = await ask("GET", path, undefined, {});
      if (response.ok)
        return { response: toApiResponse("GET", path, response, ""), blob: await response.blob() };
      return { response: toApiResponse("GET", path, response, await response.text()), blob: undefined };
    },
  };
}

function toApiResponse(method: string, path: string, response: Response, content: string): ApiResponse {
  let body: unknown = content;
  try {
    body = JSON.parse(content);
  } catch {
    // The body is not JSON, for example because it is audio. Show the body as text.
  }
  const error = rowOf(rowOf(body)["error"]);
  return {
    status: response.status,
    ok: response.ok,
    body,
    data: rowOf(body)["data"],
    code: text(error, "code") || text(rowOf(body), "errorCode"),
    message: text(error, "message") || text(rowOf(body), "message"),
    details: rowsOf(error["details"]),
    rule: response.headers.get("x-emulator-rule") ?? "",
    method,
    path,
  };
}
