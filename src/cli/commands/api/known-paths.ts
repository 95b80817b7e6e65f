import type { SurfaceName } from "../../../contract/surfaces.js";
import { type OperationName, wireOperations } from "../../../contract/wire.js";
import type { Method } from "../../../contract/wire-operation.js";
import { nearestTo } from "../../errors/nearest.js";

interface Known {
  surface: SurfaceName;
  method: Method;
  path: string;
}

function known(): Known[] {
  return Object.keys(wireOperations).flatMap((name) => {
    const found = isOperation(name) ? wireOperations[name] : undefined;
    return found ? [{ surface: found.surface, method: found.method, path: found.path }] : [];
  });
}

function isOperation(name: string): name is OperationName {
  return Object.hasOwn(wireOperations, name);
}

/** Does a path fit one with parameters: `/contacts/65f1…` and `/contacts/{contact_id}`? */
function fits(path: string, { path: template }: Known): boolean {
  const [typed, wanted] = [path.split("/"), template.split("/")];
  return (
    typed.length === wanted.length &&
    wanted.every((part, index) => (part.startsWith("{") ? typed[index] !== "" : part === typed[index]))
  );
}

/** A path without the ids in it, as far as they look like ids. */
function withoutIds(path: string): string {
  return path.replace(/\{[^}]*\}/g, "{}").replace(/\/[a-f0-9]{24}(?=\/|$)/g, "/{}");
}

/**
 * Guesses at what a path that is not known may mean: the same one on another interface, the methods that it takes, or
 * the nearest one. Undefined where the request is a known one.
 */
export function pathHint(request: {
  surface: SurfaceName;
  method: Method;
  path: string;
}): string | undefined {
  const all = known();
  const path = request.path.replace(/(?<=.)\/+$/, "");
  const fitting = all.filter((one) => fits(path, one));
  const here = fitting.filter(({ surface }) => surface === request.surface);
  if (here.some(({ method }) => method === request.method)) return undefined;
  if (here.length > 0)
    return `${here[0]?.path} is known with ${here.map(({ method }) => method).join(", ")} only`;
  const [there] = fitting;
  if (there) return `That path is known on another interface: --api ${there.surface}`;
  const own = all.filter(({ surface }) => surface === request.surface);
  const nearest = nearestTo(withoutIds(path));
  for (const one of own) nearest.consider(withoutIds(one.path));
  const meant = own.find((one) => withoutIds(one.path) === nearest.found);
  if (meant) return `No such path is known. Did you mean ${meant.path}?`;
  const beginnings = [...new Set(own.map((one) => `/${one.path.split("/")[1]}`))];
  return `No such path is known on the interface ${request.surface}; its paths begin with ${beginnings.join(", ")}`;
}
