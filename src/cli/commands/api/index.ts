import { stringifyExactJson } from "../../../base/exact-json.js";
import { isFields } from "../../../base/fields.js";
import { ClientError } from "../../../client/errors.js";
import { idText } from "../../../client/ids.js";
import { findNextPage } from "../../../client/next-page.js";
import { isNoList, readRows } from "../../../client/paging.js";
import { parseJson } from "../../../client/parsing.js";
import type { ApiResponse, Client, RawRequest } from "../../../client/types.js";
import { type ApiName, apis } from "../../../contract/apis.js";
import type { Method } from "../../../contract/wire-operation.js";
import { assertWholeText, readData } from "../../derive/body.js";
import { dryRunFlag, printRequests } from "../../derive/requests.js";
import { usageError } from "../../errors/errors.js";
import { isByteStream } from "../../output/bytes.js";
import { apiNames } from "../../profiles/store.js";
import type { Command } from "../../session/command.js";
import type { Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";
import { printBytes } from "./bytes.js";
import { findPathHint } from "./known-paths.js";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const satisfies readonly Method[];

export const api: Command = {
  name: "api",
  summary: "Send a request to any endpoint",
  description:
    "Uses the profile's key and rate limit. The path is relative to the API's base URL. Prints the whole response body unchanged.",
  arguments: [
    { name: "method", description: `${methods.join(", ")} (default: GET)`, choices: methods },
    { name: "path", description: "Path of the endpoint, such as /contacts", optional: true },
  ],
  flags: [
    { name: "query", value: "key=value", description: "Query parameter", repeatable: true },
    { name: "data", value: "@file|@-|json", description: "Request body; a file can be JSON or YAML" },
    { name: "header", short: "H", value: "name: value", description: "Request header", repeatable: true },
    {
      name: "api",
      value: "name",
      description: "API that the path belongs to",
      choices: apiNames,
      strict: true,
      default: "public",
    },
    {
      name: "all",
      description: "Read all pages of a list and print them as one list",
      conflicts: ["include"],
    },
    {
      name: "include",
      short: "i",
      description: "Also print the response's status and headers, even for errors",
    },
    dryRunFlag,
  ],
  confirms: "DELETE requests",
  examples: [
    { command: "voxctl api GET /contacts --query limit=5" },
    { command: "voxctl api /groups?type=contacts" },
    { command: 'voxctl api POST /groups --data \'{"type":"contacts","name":"Suppliers"}\'' },
    { command: "voxctl api GET /contacts --all --jq '.[].id'" },
    {
      command: "voxctl api GET /ping --include",
      note: "Print the response headers, such as X-RateLimit-Remaining",
    },
    { command: "voxctl api GET /organizations --api distributor-v2" },
  ],
  async run(session, input) {
    const { request, shownPath } = readRequest(input);
    const data = input.text("data");
    const body = data === undefined ? undefined : await readData(data, session);
    assertWholeText(body);
    const dryRun = input.on("dry-run") === true;
    const paginates = input.on("all") === true;
    if (paginates && request.method !== "GET") throw usageError("--all requires GET");
    const mutates = request.method !== "GET";
    if (dryRun) {
      await printRequests(session, [
        { method: request.method, path: shownPath, ...(data === undefined ? {} : { body }) },
      ]);
      return;
    }
    if (request.method === "DELETE") {
      await session.assertConfirmable();
      await session.confirm(`Send DELETE ${shownPath}?`);
    }
    const { client } = await session.connect({ mutates });
    if (paginates) {
      await printPages(client, request, session).catch((error: unknown) => {
        if (!isNoList(error)) return withPathHint(request)(error);
        throw usageError(`invalid --all: the response from ${shownPath} is not a list`, {
          hint: `print the response: \`voxctl api GET ${shownPath}\``,
          cause: error,
        });
      });
      return;
    }
    const includes = input.on("include") === true;
    const response = await client
      .request({ ...request, ...(data === undefined ? {} : { body }) }, { signal: session.signal })
      .catch(async (error: unknown) => {
        if (includes && error instanceof ClientError && error.response !== undefined) {
          const { text, ...head } = error.response;
          await printWithHeaders({ ...head, body: parseJson(text ?? "") ?? text }, session);
        }
        return withPathHint(request)(error);
      });
    if (isByteStream(response.body)) {
      if (!includes) return printBytes(response.body, response, session);
      await printWithHeaders({ ...response, body: undefined }, session);
      session.notes.note(
        "The response body is a file, which is not printed with --include. To print it, omit --include.",
      );
      return;
    }
    if (includes) {
      await printWithHeaders(response, session);
      return;
    }
    if (typeof response.body === "string" && session.flags.output === undefined) {
      await session.output.document(response.body);
    } else if (session.output.format === "table" && session.flags.fields === undefined) {
      if (response.body === undefined) session.notes.note("The response has no body.");
      else await session.output.text(`${stringifyExactJson(response.body, 2)}\n`);
    } else await session.output.item(response.body);
  },
};

function withPathHint({ api: apiName, method, rawPath }: RawRequest): (error: unknown) => never {
  return (error) => {
    const hint =
      error instanceof ClientError && error.status === 404
        ? findPathHint({ api: apiName, method, path: rawPath })
        : undefined;
    if (hint === undefined || !(error instanceof ClientError)) throw error;
    throw new ClientError({ ...error, message: error.message, hint, cause: error });
  };
}

async function printPages(client: Client, request: RawRequest, session: Session): Promise<void> {
  const list = readRows(
    {
      api: request.api,
      path: request.rawPath,
      fetch: (input, options) => client.request({ ...request, ...input }, options),
      next: ({ body, headers }, count) =>
        findNextPage(request.api, { body, headers, rows: count, path: request.rawPath }),
      // In the distributor APIs, rows for different days may have the same ID.
      idOf: (row) => (request.api === "public" && isFields(row) ? idText(row["id"]) : undefined),
    },
    request.query === undefined ? {} : { query: request.query },
    { signal: session.signal },
  );
  await session.output.list(list, { columns: [], noun: "row", plural: "rows" });
}

async function printWithHeaders(
  { status, headers, body }: Pick<ApiResponse, "status" | "headers" | "body">,
  session: Session,
): Promise<void> {
  if (session.output.format !== "table") {
    await session.output.item({ status, headers, body: body ?? null });
    return;
  }
  const lines = [`HTTP ${status}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  const text = typeof body === "string" ? body : stringifyExactJson(body, 2);
  await session.output.text(`${lines.join("\n")}\n\n${body === undefined ? "" : `${text}\n`}`);
}

function readRequest(input: Input): { request: RawRequest; shownPath: string } {
  const [first = "", second] = input.arguments;
  const isMethod = methods.some((candidate) => candidate === first.toUpperCase());
  const [word, address] =
    second === undefined && first !== "" && !isMethod ? ["GET", first] : [first, second];
  if (address === undefined)
    throw usageError("missing argument: <path>", { hint: "usage: `voxctl api GET /contacts`" });
  const method = methods.find((candidate) => candidate === word.toUpperCase());
  if (!method) throw usageError(`invalid method "${word}": expected ${methods.join(", ")}`);
  const apiName = apiNames.find((candidate) => candidate === input.text("api")) ?? "public";
  const { path, parameters } = readAddress(address, apiName, input.texts("query"));
  const search = parameters.toString();
  const query = Object.fromEntries([...parameters.keys()].map((key) => [key, parameters.getAll(key)]));
  return {
    request: { api: apiName, method, rawPath: path, query, headers: readHeaders(input.texts("header")) },
    shownPath: search === "" ? path : `${path}?${search}`,
  };
}

function readAddress(
  address: string,
  apiName: ApiName,
  pairs: readonly string[],
): { path: string; parameters: URLSearchParams } {
  if (/^[a-z]+:\/\//i.test(address))
    throw usageError(`invalid path "${address}": expected a path such as /contacts`, {
      hint: "use the path without scheme and host",
    });
  const [, before = "", search = ""] = /^([^?]*)\??(.*)$/s.exec(address) ?? [];
  if (before.includes("#"))
    throw usageError(`invalid path "${address}": a path can't contain #`, { hint: "write # as %23" });
  const { basePath } = apis[apiName];
  const whole = before.startsWith("/") ? before : `/${before}`;
  // Accept a path that starts with the base path, such as one copied from a log.
  const path = basePath !== "" && whole.startsWith(`${basePath}/`) ? whole.slice(basePath.length) : whole;
  // The URL parser resolves `..`, so a profile's key could be sent to any path of the host.
  if (!new URL(`http://host/base${path}`).pathname.startsWith("/base/"))
    throw usageError(`invalid path "${address}": the path is outside the API's base URL`);
  const parameters = new URLSearchParams(search);
  for (const pair of pairs) {
    const equals = pair.indexOf("=");
    if (equals < 1) throw usageError(`invalid --query "${pair}": expected key=value`);
    parameters.append(pair.slice(0, equals), pair.slice(equals + 1));
  }
  return { path, parameters };
}

/** Headers that the HTTP library sets itself or can't send. */
const connectionHeaders = new Set([
  ...["connection", "content-length", "expect", "keep-alive"],
  ...["proxy-connection", "te", "trailer", "transfer-encoding", "upgrade"],
]);

function readHeaders(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const match = /^([!#$%&'*+.^_`|~\w-]+):\s*([^\r\n\0]*)$/.exec(line);
    const name = match?.[1]?.toLowerCase();
    if (name === undefined || match?.[2] === undefined)
      throw usageError(`invalid --header "${line.split(":")[0]}": expected "Name: value"`);
    if (name === "authorization")
      throw usageError("--header can't set Authorization: the key comes from the profile");
    if (connectionHeaders.has(name))
      throw usageError(`--header can't set ${name}: voxctl manages the connection itself`);
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(match[2]))
      throw usageError(`invalid --header "${name}": expected printable Latin-1 characters`);
    headers[name] = headers[name] === undefined ? match[2] : `${headers[name]}, ${match[2]}`;
  }
  return headers;
}
