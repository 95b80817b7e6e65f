import type { Emulator } from "../../src/emulator/types.js";
import type { DataAt } from "./contract-types.js";
import type { Envelope } from "./test-emulator.js";

/**
 * Asks the Public API of a world in process, as its admin or by another key. What it answers is typed by the contract;
 * that answers are as it says is held by tests of their own.
 * @throws SyntaxError where the answer is no JSON
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
