import { resolve } from "node:path";
import { isFields } from "../../../base/fields.js";
import { readInputText } from "../../../base/input-file.js";
import { parseJsonSafely } from "../../../base/json.js";
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
 * Returns a webhook body that matches a JSON Schema, with an example value in each field.
 * @throws usage error (2)
 */
export async function readShapeExample(
  session: Pick<Session, "io">,
  file: string,
): Promise<Readonly<Record<string, unknown>>> {
  const flag = `--${webhookShapeFlag.name}`;
  const example = createExampleValue(await readShape(session, file, flag));
  if (!isFields(example)) throw usageError(`${flag}: ${file} is not a JSON Schema with type object`);
  return example;
}

/**
 * Reads a JSON Schema that `voxctl webhook shape` created.
 * @throws usage error (2)
 */
export async function readShape(
  session: Pick<Session, "io">,
  file: string,
  flag: string,
): Promise<Readonly<Record<string, unknown>>> {
  const text = await readInputText(resolve(session.io.cwd, file), `${flag}: ${file}`);
  const schema = parseJsonSafely(text);
  if (schema === undefined) throw usageError(`${flag}: ${file} is not valid JSON`);
  if (!isFields(schema) || ![schema["type"]].flat().includes("object"))
    throw usageError(`${flag}: ${file} is not a JSON Schema with type object`, {
      hint: "create one from captures: `voxctl webhook shape`",
    });
  return schema;
}
