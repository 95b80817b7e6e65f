import * as z from "zod";
import type { Schema } from "./operation.js";

/** Returns the schema of an object's own field; undefined for other schemas, and for names such as `constructor` that are not fields. */
export function findFieldSchema(schema: Schema | undefined, name: string): Schema | undefined {
  if (!(schema instanceof z.ZodObject)) return undefined;
  const shape: Readonly<Record<string, Schema>> = schema.shape;
  return Object.hasOwn(shape, name) ? shape[name] : undefined;
}
