import { secretMask } from "../../../../base/secret-mask.js";
import { apis } from "../../../../contract/apis.js";
import { type Row, rowOf, text } from "../rows.js";

/** A text as one word of a shell, whatever is in it. */
function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Returns whether the log masked or cut a body, so that it can't be sent again. */
export function isMasked(body: string): boolean {
  return body.includes(`"${secretMask}"`) || /… \(\d+ characters\)$/.test(body) || body === "(not JSON)";
}

/** Headers that belong to a request's meaning; others are its client's own business. */
function findSemanticHeaders(row: Row): [string, string][] {
  const headers = rowOf(row["request_headers"]);
  return Object.keys(headers)
    .filter((name) => /^(range|if-.+|idempotency-key)$/.test(name))
    .map((name) => [name, text(headers, name)]);
}

/** A request as a command of curl; the key is a variable's, as `voxctl emulator env` sets it. */
export function formatCurl(row: Row, origin: string): string {
  const body = text(row, "request_body");
  const key = text(row, "key_id") === "" ? [] : [`-H "Authorization: Bearer $VOXCTL_API_KEY"`];
  const parts = [
    `curl -X ${quoteWord(text(row, "method"))} ${quoteWord(origin + text(row, "path"))}`,
    ...key,
    ...findSemanticHeaders(row).map(([name, value]) => `-H ${quoteWord(`${name}: ${value}`)}`),
    ...(body === "" ? [] : ["-H 'Content-Type: application/json'", `--data-raw ${quoteWord(body)}`]),
  ];
  return parts.join(" \\\n  ");
}

/** The interface whose request it is, and the path below its base address. */
function splitApiPath(path: string): { api: string; relativePath: string } {
  for (const { name, basePath } of Object.values(apis)) {
    if (basePath !== "" && path.startsWith(`${basePath}/`) && !path.startsWith("/api/v1/outbound"))
      return { api: name, relativePath: path.slice(basePath.length) };
  }
  return { api: "legacy", relativePath: path };
}

/** A request as a command of voxctl. */
export function formatVoxctl(row: Row): string {
  const { api, relativePath } = splitApiPath(text(row, "path"));
  const [path = "", query = ""] = relativePath.split("?", 2);
  const body = text(row, "request_body");
  const parts = [
    `voxctl api ${quoteWord(text(row, "method"))} ${quoteWord(path)}`,
    ...[...new URLSearchParams(query)].map(([name, value]) => `-q ${quoteWord(`${name}=${value}`)}`),
    ...findSemanticHeaders(row).map(([name, value]) => `-H ${quoteWord(`${name}: ${value}`)}`),
    ...(api === "public" ? [] : [`--api ${api}`]),
    ...(body === "" ? [] : [`--data ${quoteWord(body)}`]),
  ];
  return parts.join(" ");
}
