import type { Fields } from "../fields.js";
import { isOperationName } from "./format.js";

/** The fields of a thing, as it was read, that a create of it takes. */
export type CreatedFields = (resource: string, value: Fields) => Fields;

/** By the contract: what is assigned by the service, empty or unknown to it is left out. */
export async function createdFields(): Promise<CreatedFields> {
  const { operations } = await import("../../contract/contract.js");
  return (resource, value) => {
    const name = `${resource}.create`;
    const body = isOperationName(name) ? operations[name]?.body : undefined;
    const shape = body !== undefined && "shape" in body ? Object.keys(Object(body.shape)) : [];
    return Object.fromEntries(
      shape.filter((field) => !isEmpty(value[field])).map((field) => [field, value[field]]),
    );
  };
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)
  );
}
