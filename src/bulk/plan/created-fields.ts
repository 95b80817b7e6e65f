import type { Fields } from "../fields.js";
import { isOperationName } from "./format.js";

/** The fields of a thing, as it was read, that a create of it takes. */
export type CreatedFields = (resource: string, value: Fields) => Fields;

/** The names of the fields that a create takes, by the contract. */
export async function createdNames(): Promise<(resource: string) => readonly string[]> {
  const { operations } = await import("../../contract/contract.js");
  return (resource) => {
    const name = `${resource}.create`;
    const body = isOperationName(name) ? operations[name]?.body : undefined;
    return body !== undefined && "shape" in body ? Object.keys(Object(body.shape)) : [];
  };
}

/** What is assigned by the service, empty or unknown to it is left out. */
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
