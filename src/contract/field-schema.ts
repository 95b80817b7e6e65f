import * as z from "zod";
import type { Schema } from "./operation.js";

/**
 * Returns the schema of a field; undefined if there is no such field. Inherited names, such as `constructor`,
 * are not fields.
 */
export function findFieldSchema(schema: Schema | undefined, name: string): Schema | undefined {
  if (!(schema instanceof z.ZodObject)) return undefined;
  const shape: Readonly<Record<string, Schema>> = schema.shape;
  return Object.hasOwn(shape, name) ? shape[name] : undefined;
}
