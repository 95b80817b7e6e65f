import { secretMask } from "../../../../base/secret-mask.js";
import { surfaces } from "../../../../contract/surfaces.js";
import { type Row, rowOf, text } from "../rows.js";

/** A text as one word of a shell, whatever is in it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Did the log keep a body otherwise than it was sent, so that it can't be sent again? */
export function isMasked(body: string): boolean {
  return body.includes(`"${secretMask}"`) || /… \(\d+ characters\)$/.test(body) || body === "(not JSON)";
}

/** Headers that belong to a request's meaning; others are its client's own business. */
function meantHeaders(row: Row): [string, string][] {
  const headers = rowOf(row["request_headers"]);
  return Object.keys(headers)
    .filter((name) => /^(range|if-.+|idempotency-key)$/.test(name))
    .map((name) => [name, text(headers, name)]);
}

/** A request as a command of curl; the key is a variable's, as `voxctl emulator env` sets it. */
export function curlOf(row: Row, origin: string): string {
  const body = text(row, "request_body");
  const key = text(row, "key_id") === "" ? [] : [`-H "Authorization: Bearer $VOXCTL_API_KEY"`];
  const parts = [
    `curl -X ${quoted(text(row, "method"))} ${quoted(origin + text(row, "path"))}`,
    ...key,
    ...meantHeaders(row).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === "" ? [] : ["-H 'Content-Type: application/json'", `--data-raw ${quoted(body)}`]),
  ];
  return parts.join(" \\\n  ");
}

/** The interface whose request it is, and the path below its base address. */
function placeOf(path: string): { surface: string; rest: string } {
  for (const { name, basePath } of Object.values(surfaces)) {
    if (basePath !== "" && path.startsWith(`${basePath}/`) && !path.startsWith("/api/v1/outbound"))
      return { surface: name, rest: path.slice(basePath.length) };
  }
  return { surface: "legacy", rest: path };
}

/** A request as a command of voxctl. */
export function voxctlOf(row: Row): string {
  const { surface, rest } = placeOf(text(row, "path"));
  const [path = "", query = ""] = rest.split("?", 2);
  const body = text(row, "request_body");
  const parts = [
    `voxctl api ${quoted(text(row, "method"))} ${quoted(path)}`,
    ...[...new URLSearchParams(query)].map(([name, value]) => `-q ${quoted(`${name}=${value}`)}`),
    ...meantHeaders(row).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(surface === "public" ? [] : [`--api ${surface}`]),
    ...(body === "" ? [] : [`--data ${quoted(body)}`]),
  ];
  return parts.join(" ");
}
