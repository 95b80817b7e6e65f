import type { Emulator } from "../../src/emulator/types.js";
import type { DataAt } from "./contract-types.js";
import type { Envelope } from "./test-emulator.js";

/**
 * Sends a request in process, by default with the admin's key. The contract determines the response's type.
 * @throws SyntaxError if the response is not JSON
 */
export function publicApi({ fetch, startLine }: Emulator, key: string = startLine.keys.admin) {
  return async <const Method extends string, const Path extends string>(
    method: Method,
    path: Path,
    body?: unknown,
  ): Promise<{ status: number; body: Envelope<DataAt<Method, Path>> }> => {
    const response = await fetch(
      new Request(`http://emulator.localhost/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
    const parsed = (await response.json()) as Envelope<DataAt<Method, Path>>;
    return { status: response.status, body: parsed };
  };
}
