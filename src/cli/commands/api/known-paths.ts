import { createSuggester } from "../../../base/suggestions.js";
import type { ApiName } from "../../../contract/apis.js";
import { isOperationName } from "../../../contract/operation-names.js";
import { wireOperations } from "../../../contract/wire.js";
import type { Method } from "../../../contract/wire-operation.js";

interface KnownOperation {
  api: ApiName;
  method: Method;
  path: string;
}

function listKnownOperations(): KnownOperation[] {
  return Object.keys(wireOperations).flatMap((name) => {
    const operation = isOperationName(name) ? wireOperations[name] : undefined;
    return operation ? [{ api: operation.api, method: operation.method, path: operation.path }] : [];
  });
}

function matchesTemplate(path: string, { path: template }: KnownOperation): boolean {
  const [typed, expected] = [path.split("/"), template.split("/")];
  return (
    typed.length === expected.length &&
    expected.every((part, index) => (part.startsWith("{") ? typed[index] !== "" : part === typed[index]))
  );
}

function replaceIds(path: string): string {
  return path.replace(/\{[^}]*\}/g, "{}").replace(/\/[a-f0-9]{24}(?=\/|$)/g, "/{}");
}

/**
 * For an undocumented request, suggests the path's methods, the API that has the path, or a similar path.
 * Returns undefined for a documented request.
 */
export function findPathHint(request: { api: ApiName; method: Method; path: string }): string | undefined {
  const operations = listKnownOperations();
  const path = request.path.replace(/(?<=.)\/+$/, "");
  const matching = operations.filter((operation) => matchesTemplate(path, operation));
  const sameApi = matching.filter(({ api }) => api === request.api);
  if (sameApi.some(({ method }) => method === request.method)) return undefined;
  if (sameApi.length > 0)
    return `${sameApi[0]?.path} supports only ${sameApi.map(({ method }) => method).join(", ")}`;
  const [elsewhere] = matching;
  if (elsewhere) return `for this path, use --api ${elsewhere.api}`;
  const ownOperations = operations.filter(({ api }) => api === request.api);
  const nearest = createSuggester(replaceIds(path));
  for (const operation of ownOperations) nearest.consider(replaceIds(operation.path));
  const suggestion = ownOperations.find((operation) => replaceIds(operation.path) === nearest.suggestion);
  if (suggestion) return `did you mean ${suggestion.path}?`;
  const beginnings = [...new Set(ownOperations.map((operation) => `/${operation.path.split("/")[1]}`))];
  return `use a path in the ${request.api} API: ${beginnings.join(", ")}`;
}
