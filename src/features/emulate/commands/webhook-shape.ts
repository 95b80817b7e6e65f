import { resolve } from "node:path";
import { describeFsError } from "../../../base/describe-fs-error.js";
import { isFields } from "../../../base/fields.js";
import { readUtf8 } from "../../../base/utf8.js";
import { usageError } from "../../../cli/errors/errors.js";
import type { Flag } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import { createExampleValue } from "../example-value.js";

export const webhookShapeFlag: Flag = {
  name: "webhook-shape",
  value: "file",
  description: "JSON Schema of webhook bodies, from `voxctl webhook shape`",
};

/**
 * Returns a body that matches the schema, with an example value in each field.
 * @param flag that specifies the file
 * @throws usage error (2)
 */
export async function readShapeExample(
  session: Pick<Session, "io">,
  file: string,
  flag: string,
): Promise<Readonly<Record<string, unknown>>> {
  const example = createExampleValue(await readShape(session, file, flag));
  if (!isFields(example)) throw usageError(`${flag}: ${file} is not a JSON Schema of an object`);
  return example;
}

/**
 * Reads a JSON Schema that `voxctl webhook shape` created.
 * @param flag flag that specifies the file
 * @throws usage error (2)
 */
export async function readShape(
  session: Pick<Session, "io">,
  file: string,
  flag: string,
): Promise<Readonly<Record<string, unknown>>> {
  let schema: unknown;
  try {
    schema = JSON.parse(await readUtf8(resolve(session.io.cwd, file)));
  } catch (cause) {
    const why =
      cause instanceof SyntaxError ? "is not valid JSON" : `can't be read: ${describeFsError(cause)}`;
    throw usageError(`${flag}: ${file} ${why}`, { cause });
  }
  if (!isFields(schema) || ![schema["type"]].flat().includes("object"))
    throw usageError(`${flag}: ${file} is not a JSON Schema of an object`, {
      hint: "create one from captures: `voxctl webhook shape`",
    });
  return schema;
}
