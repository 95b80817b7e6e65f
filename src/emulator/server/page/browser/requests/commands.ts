import { secretMask } from "../../../../../base/secret-mask.js";
import { type ApiName, apis } from "../../../../../contract/apis.js";
import { environmentVariables } from "../../../../../contract/environment-variables.js";
import { type Row, rowOf, text } from "../rows.js";

function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Texts that the log contains instead of a body. */
const placeholders = new Set(["(not JSON)", "(too many values)", "(not stored: too many waiting requests)"]);

/** A request with a masked, truncated or omitted part can't be repeated. */
export function isIncomplete(path: string, body: string): boolean {
  return (
    [path, body].some((text) => /… \(\d+ characters\)$/.test(text)) ||
    path.includes(`=${secretMask}`) ||
    body.includes(`"${secretMask}"`) ||
    // The log also masks a password in a URL.
    body.includes(`://${secretMask}@`) ||
    placeholders.has(body)
  );
}

/** Returns the logged headers that a repeated request needs, because they change the service's response. */
export function findSemanticHeaders(row: Row): [string, string][] {
  const headers = rowOf(row["request_headers"]);
  return Object.keys(headers)
    .filter((name) => /^(range|if-.+|idempotency-key)$/.test(name))
    .map((name) => [name, text(headers, name)]);
}

/** The command reads the API key from a variable that `voxctl emulator env` sets. */
export function formatCurl(row: Row, origin: string): string {
  const [method, body] = [text(row, "method"), text(row, "request_body")];
  const variable = environmentVariables[splitApiPath(text(row, "path")).api].key;
  const key = text(row, "key_id") === "" ? [] : [`-H "Authorization: Bearer $${variable}"`];
  const parts = [
    // With -X HEAD, curl would wait for a body.
    `curl ${method === "HEAD" ? "-I" : `-X ${quoteWord(method)}`} ${quoteWord(origin + text(row, "path"))}`,
    ...key,
    ...findSemanticHeaders(row).map(([name, value]) => `-H ${quoteWord(`${name}: ${value}`)}`),
    ...(body === "" ? [] : ["-H 'Content-Type: application/json'", `--data-raw ${quoteWord(body)}`]),
  ];
  return parts.join(" \\\n  ");
}

function splitApiPath(path: string): { api: ApiName; relativePath: string } {
  for (const { name, basePath } of Object.values(apis)) {
    if (basePath !== "" && path.startsWith(`${basePath}/`) && !path.startsWith("/api/v1/outbound"))
      return { api: name, relativePath: path.slice(basePath.length) };
  }
  return { api: "legacy", relativePath: path };
}

/** Formats a request as a command; undefined for a method that `voxctl api` doesn't send, such as HEAD. */
export function formatVoxctl(row: Row): string | undefined {
  const method = text(row, "method");
  if (!/^(GET|POST|PUT|PATCH|DELETE)$/.test(method)) return undefined;
  const { api, relativePath } = splitApiPath(text(row, "path"));
  const body = text(row, "request_body");
  const parts = [
    `voxctl api ${method} ${quoteWord(relativePath)}`,
    ...findSemanticHeaders(row).map(([name, value]) => `-H ${quoteWord(`${name}: ${value}`)}`),
    ...(api === "public" ? [] : [`--api ${api}`]),
    ...(body === "" ? [] : [`--data ${quoteWord(body)}`]),
  ];
  return parts.join(" ");
}
