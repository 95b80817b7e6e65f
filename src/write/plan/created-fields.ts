import { isOperationName } from "../../contract/operation-names.js";
import type { Fields } from "../fields.js";

export type CreatedFields = (resource: string, value: Fields) => Fields;

export async function createdNames(): Promise<(resource: string) => readonly string[]> {
  const { operations } = await import("../../contract/contract.js");
  return (resource) => {
    const name = `${resource}.create`;
    const body = isOperationName(name) ? operations[name]?.body : undefined;
    return body !== undefined && "shape" in body ? Object.keys(Object(body.shape)) : [];
  };
}

/** Returns a function that omits fields that are empty, unknown or assigned by the service. */
export async function createdFields(): Promise<CreatedFields> {
  const names = await createdNames();
  return (resource, value) =>
    Object.fromEntries(
      names(resource)
        .filter((field) => !isEmpty(value[field]))
        .map((field) => [field, value[field]]),
    );
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)
  );
}
