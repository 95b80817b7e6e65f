import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { describeFsError } from "../../../base/describe-fs-error.js";
import { usageError } from "../../errors/errors.js";
import { isFields } from "../../output/fields.js";
import type { Session } from "../../session/session.js";

/**
 * A body of a recorded shape: of each field that the emulator does not know, something of its type.
 * @throws usage error (2)
 */
export async function exampleOf(
  session: Pick<Session, "io">,
  file: string | undefined,
): Promise<Readonly<Record<string, unknown>>> {
  if (file === undefined) return {};
  let schema: unknown;
  try {
    schema = JSON.parse(await readFile(resolve(session.io.cwd, file), "utf8"));
  } catch (cause) {
    const why = cause instanceof SyntaxError ? "is no JSON" : `can't be read: ${describeFsError(cause)}`;
    throw usageError(`--shape: ${file} ${why}`, { cause });
  }
  const example = valueOfSchema(schema);
  if (!isFields(example)) throw usageError(`--shape: ${file} is no shape of an object`);
  const { call_id: _id, assistant_id: _assistant, from: _from, to: _to, ...others } = example;
  return others;
}

function valueOfSchema(schema: unknown): unknown {
  if (!isFields(schema)) return null;
  const type = Array.isArray(schema["type"]) ? schema["type"][0] : schema["type"];
  switch (type) {
    case "object": {
      const properties = isFields(schema["properties"]) ? schema["properties"] : {};
      return Object.fromEntries(
        Object.entries(properties).map(([name, inner]) => [name, valueOfSchema(inner)]),
      );
    }
    case "array":
      return schema["items"] === undefined ? [] : [valueOfSchema(schema["items"])];
    case "string":
      return "text";
    case "integer":
    case "number":
      return 1;
    case "boolean":
      return true;
    default:
      return null;
  }
}
