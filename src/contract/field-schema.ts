import * as z from "zod";
import type { Schema } from "./operation.js";

/** Returns undefined for unknown fields, including inherited names such as `constructor`. */
export function findFieldSchema(schema: Schema | undefined, name: string): Schema | undefined {
  if (!(schema instanceof z.ZodObject)) return undefined;
  const shape: Readonly<Record<string, Schema>> = schema.shape;
  return Object.hasOwn(shape, name) ? shape[name] : undefined;
}
