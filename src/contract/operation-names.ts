import { parsePathParameters } from "./operation.js";
import { type OperationName, wire } from "./wire.js";

export function isOperationName(name: string): name is OperationName {
  return Object.hasOwn(wire, name);
}

/** @throws TypeError if the contract has no such operation */
export function operationOf(resource: string, verb: string): OperationName {
  const name = `${resource}.${verb}`;
  if (isOperationName(name)) return name;
  throw new TypeError(`the contract has no operation ${name}`);
}

/** Returns an operation's path parameter with a value, such as `{contact_id: target}`. */
export function pathOf<T>(operation: OperationName, target: T): Record<string, T> {
  const [parameter = ""] = parsePathParameters(wire[operation].path);
  return { [parameter]: target };
}
