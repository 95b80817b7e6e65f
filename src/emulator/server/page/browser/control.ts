import type { control } from "../../../../contract/control/control.js";
import { type Row, rowOf, rowsOf, text } from "./rows.js";

class ControlError extends Error {
  constructor(
    /** 0 if there was no response. */
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

function toControlError(response: Response, error: Row): ControlError {
  const fields = rowsOf(error["details"]).map((detail) => {
    const path = detail["path"];
    return `${Array.isArray(path) ? path.join(".") : ""} ${text(detail, "message")}`.trim();
  });
  const rule = response.headers.get("x-emulator-rule");
  const message = fields.length > 0 ? fields.join("; ") : text(error, "message");
  return new ControlError(response.status, rule ? `${message} (${rule})` : message);
}

type Calls = typeof control;
type Filled<Path> = Path extends `${infer Before}{${string}}${infer After}`
  ? `${Before}${string}${After}`
  : Path;
/** Paths of the control operations with this HTTP method. Path parameters can have any value. */
type PathOf<Method> = {
  [Name in keyof Calls]: Calls[Name]["method"] extends Method ? Filled<Calls[Name]["path"]> : never;
}[keyof Calls];
type Change = "POST" | "PUT" | "PATCH" | "DELETE";

/** The browser's session cookie authorizes the requests. */
export interface Control {
  get(path: PathOf<"GET"> | `${PathOf<"GET">}?${string}`, signal?: AbortSignal): Promise<unknown>;
  send<Method extends Change>(method: Method, path: PathOf<Method>, body?: unknown): Promise<unknown>;
}

/** @param onEmulatorId called after each success with the emulator ID, which a reset or restore changes */
export function createControl(onEmulatorId: (emulatorId: string) => void): Control {
  async function call(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<unknown> {
    let response: Response;
    try {
      response = await fetch(`/_emulator${path}`, {
        method,
        // The control interface requires this header, because pages from other origins can't send it.
        headers: {
          "X-Emulator-UI": "1",
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        },
        credentials: "same-origin",
        cache: "no-store",
        redirect: "error",
        ...(signal ? { signal } : {}),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    } catch {
      throw new ControlError(0, "The emulator is not responding.");
    }
    const payload = rowOf(await response.json().catch(() => undefined));
    if (response.status === 401) {
      throw new ControlError(401, "The session has expired. For a new link, run `voxctl open emulator`.");
    }
    if (!response.ok) throw toControlError(response, rowOf(payload["error"]));
    onEmulatorId(response.headers.get("x-emulator-world") ?? "");
    return payload["data"];
  }
  return {
    get: (path, signal) => call("GET", path, undefined, signal),
    send: (method, path, body) => call(method, path, body),
  };
}
