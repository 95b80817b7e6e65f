import * as z from "zod";
import { once } from "../../contract/once.js";
import type { Schema } from "../../contract/operation.js";
import { ObjectId } from "../../contract/primitives.js";

/** Numbers become strings, as in the tables. */
export const anyId = once(() => z.union([z.string().min(1), z.number().transform(String)], "must be an id"));

export function withAnyIds(schema: Schema): Schema {
  if (schema === ObjectId) return anyId();
  if (schema instanceof z.ZodObject) {
    const shape = Object.entries<Schema>(schema.shape).map(([name, field]) => [name, withAnyIds(field)]);
    return new z.ZodObject({ ...schema.def, shape: Object.fromEntries(shape) });
  }
  if (schema instanceof z.ZodDiscriminatedUnion)
    return new z.ZodDiscriminatedUnion({ ...schema.def, options: schema.options.map(withAnyIds) });
  return schema instanceof z.ZodOptional ? z.optional(withAnyIds(schema.unwrap())) : schema;
}
