import * as z from "zod";
import { type ControlData, type ControlName, control } from "../contract/control/control.js";
import type { ControlOperation } from "../contract/control/operation.js";
import { fillPath } from "./addresses.js";
import { ClientError } from "./errors.js";

/** The emulator validates the body. */
export interface ControlInput {
  path?: Readonly<Record<string, string>> | undefined;
  query?: Readonly<Record<string, string | number | undefined>> | undefined;
  body?: unknown;
}

export type Control = <Name extends ControlName>(
  name: Name,
  input?: ControlInput,
) => Promise<ControlData<Name>>;

export function isRead(name: ControlName): boolean {
  return control[name].method === "GET";
}

/** @param send returns the response's data without the envelope */
export function createControl(
  send: (method: string, path: string, body: unknown) => Promise<unknown>,
): Control {
  return async (name, { path, query = {}, body } = {}) => {
    const operation: ControlOperation = control[name];
    const search = new URLSearchParams();
    for (const [parameter, value] of Object.entries(query))
      if (value !== undefined) search.set(parameter, String(value));
    const queryString = search.size > 0 ? `?${search}` : "";
    const data = await send(operation.method, fillPath(operation.path, path) + queryString, body);
    const result = z.safeParse(
      operation.responseShape === "page" ? z.array(operation.response) : operation.response,
      data,
    );
    if (!result.success) throw createUnexpectedResponseError(name, operation, result.error);
    // `data` was validated with the schema that defines this type.
    return result.data as ControlData<typeof name>;
  };
}

function createUnexpectedResponseError(
  name: string,
  { method }: ControlOperation,
  cause: z.core.$ZodError,
): ClientError {
  const [first] = cause.issues;
  return new ClientError({
    type: "network",
    code: "unexpected_answer",
    message: `unexpected response from the emulator to ${name}: ${first?.path.join(".")} ${first?.message}`,
    hint: "an emulator from another voxctl version may be running; restart the emulator",
    retryable: false,
    outcome: method === "GET" ? "none" : "done",
    cause,
  });
}
