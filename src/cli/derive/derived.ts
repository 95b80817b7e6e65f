import * as z from "zod";
import { describeIssue } from "../../base/describe-issue.js";
import { capitalize, toKebabCase } from "../../base/text.js";
import { documentedOnly } from "../../contract/assumed.js";
import { type Operation, parsePathParameters } from "../../contract/operation.js";
import { ObjectId } from "../../contract/primitives.js";
import { usageError } from "../errors/errors.js";
import type { Argument, Input } from "../session/input.js";
import {
  describeAccepted,
  isId,
  type Referable,
  resolveReference,
} from "../session/references/references.js";
import type { Connection, Session } from "../session/session.js";
import type { FieldFlag } from "./field-flags.js";
import type { Derivation } from "./noun.js";

interface PathArgument {
  parameter: string;
  argument: Argument;
  reference: Referable | undefined;
}

export function buildPathArguments({ operation, resource, verb }: Derivation): PathArgument[] {
  const parameters = parsePathParameters(operation.path);
  return parameters.map((parameter, index) => {
    const last = index === parameters.length - 1;
    const reference =
      resource.references?.[parameter] ?? (last ? (verb.referable ?? resource.referable) : undefined);
    const name = toKebabCase(parameter.replace(/(_id|Id)$/, ""));
    const description = reference ? describeAccepted(reference) : `${name.replaceAll("-", " ")} ID`;
    return { parameter, reference, argument: { name, description: capitalize(description) } };
  });
}

/** @throws usage error (2) for a value that is neither a name nor an ID */
export function readPath(derivation: Derivation, input: Input): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [index, { parameter, argument, reference }] of buildPathArguments(derivation).entries()) {
    const value = input.arguments[index] ?? "";
    if (value === "") throw usageError(`<${argument.name}> is empty`);
    if (!reference) checkId(derivation.operation, parameter, argument.name, value);
    values[parameter] = value;
  }
  return values;
}

function checkId(operation: Operation, parameter: string, name: string, value: string): void {
  const schema = operation.parameters?.[parameter] ?? (operation.api === "public" ? ObjectId : undefined);
  if (!schema) return;
  const result = z.safeParse(documentedOnly(schema), value, { error: describeIssue });
  if (!result.success)
    throw usageError(`<${name}>: "${value}" ${result.error.issues[0]?.message ?? "is not allowed"}`);
}

/** Replaces names in the path's parameters with IDs. Connects only if a name must be looked up. */
export async function resolvePath(
  derivation: Derivation,
  path: Readonly<Record<string, string>>,
  session: Session,
  connect: () => Promise<Connection>,
): Promise<Record<string, string>> {
  const resolved: Record<string, string> = { ...path };
  for (const { parameter, argument, reference } of buildPathArguments(derivation)) {
    const value = path[parameter] ?? "";
    if (!reference || isId(value)) continue;
    const { client } = await connect();
    const { signal, names } = session;
    const read = await reference.read?.(value, await session.profile());
    const options = { signal, names, hint: read?.hint };
    const named = read?.value ?? value;
    resolved[parameter] = await resolveReference(client, reference, named, `<${argument.name}>`, options);
  }
  return resolved;
}

/**
 * Replaces names in fields with IDs. Connects only if a name must be looked up.
 * @param calledBy returns a field's name for messages (default: its flag)
 */
export async function resolveFields(
  values: Readonly<Record<string, unknown>>,
  flags: readonly FieldFlag[],
  named: ReadonlySet<string>,
  session: Session,
  connect: () => Promise<Connection>,
  calledBy: (fieldFlag: FieldFlag) => string = ({ flag }) => `--${flag.name}`,
): Promise<Record<string, unknown>> {
  const resolved: Record<string, unknown> = { ...values };
  for (const fieldFlag of flags) {
    const { field, reference } = fieldFlag;
    if (!reference || !named.has(field.name)) continue;
    const resolve = async (value: unknown): Promise<unknown> =>
      typeof value !== "string" || isId(value)
        ? value
        : resolveReference((await connect()).client, reference, value, calledBy(fieldFlag), session);
    const value = values[field.name];
    if (!Array.isArray(value)) resolved[field.name] = await resolve(value);
    else {
      const ids: unknown[] = [];
      for (const entry of value) ids.push(await resolve(entry));
      resolved[field.name] = ids;
    }
  }
  return resolved;
}
