import { Writable } from "node:stream";
import { isFields } from "../../../base/fields.js";
import { quoteWord } from "../../../base/shell-words.js";
import { suggestName } from "../../../base/suggestions.js";
import { ClientError } from "../../../client/errors.js";
import type { Client } from "../../../client/types.js";
import type { ApiTool, RunTool, ToolApi, ToolOutcome } from "../../../mcp/index.js";
import { refusedError, usageError } from "../../errors/errors.js";
import type { Output } from "../../output/output.js";
import type { Command } from "../../session/command.js";
import type { Session } from "../../session/session.js";
import { version } from "../../session/version.js";

const toolApis: readonly ToolApi[] = ["public", "distributor-v2", "distributor-v1"];

export const mcp: Command = {
  name: "mcp",
  summary: "Serve the Public API to AI assistants over MCP",
  description:
    "Serves the Public API as Model Context Protocol (MCP) tools over standard input and output, within the service's rate limits. A distributor API is included if the profile has a key for it. Tools that change data require --allow-writes.",
  flags: [
    {
      name: "allow-writes",
      description: "Include tools that place calls or create, update or delete resources",
    },
    {
      name: "api",
      value: "name",
      description: "Include only tools for this API: public, distributor-v1, distributor-v2",
      choices: toolApis,
      strict: true,
      repeatable: true,
    },
  ],
  examples: [
    {
      command: "voxctl mcp --profile acme",
      note: "Command to enter in the configuration of an AI assistant",
    },
    {
      command: "voxctl mcp --profile offline --allow-writes",
      note: "Serve all tools, using the local emulator",
    },
  ],
  async run(session, input) {
    const allowWrites = input.on("allow-writes") === true;
    if (allowWrites) await assertWritable(session);
    const [{ apiTools, createServer, requestParts, serveStreams }, { client, clientOptions }] =
      await Promise.all([import("../../../mcp/index.js"), session.connect({ mutates: allowWrites })]);
    const requestedApis = input.texts("api");
    const apis = toolApis.filter((name) =>
      requestedApis.length > 0 ? requestedApis.includes(name) : clientOptions.targets[name] !== undefined,
    );
    await assertKeys(apis, clientOptions.targets, session);
    const all = apiTools(apis);
    const tools = all.filter((tool) => tool.readOnly || allowWrites);
    const explainMissing = (name: string) => {
      const can = "ask the user to change the server's configuration";
      if (all.some((tool) => tool.name === name)) return `tool ${name} requires --allow-writes; ${can}`;
      const knownTool = apiTools(toolApis).find((tool) => tool.name === name);
      if (knownTool === undefined) {
        const names = tools.map((tool) => tool.name);
        return `tool ${name} not found; ${suggestName(name, names)}to list the tools, use tools/list`;
      }
      const { api } = knownTool.operation;
      const lacking = requestedApis.length > 0 ? `--api ${api}` : `a profile with the ${api} API`;
      return `tool ${name} requires ${lacking}; ${can}`;
    };
    const run: RunTool = async (tool, given, signal) => {
      const { parts, problems } = requestParts(tool.operation, given);
      if (problems.length === 0)
        return callTool(client, tool, parts, AbortSignal.any([signal, session.signal]));
      const details = problems.map(({ path, message }) => ({ path, message }));
      const [first] = details;
      return toFailure({
        code: "validation_failed",
        message: `${first?.path.join(".")} ${first?.message}`,
        details,
        status: null,
        retryable: false,
        outcome: "none",
        retry_after_seconds: null,
        hint: null,
      });
    };
    session.notes.note(
      allowWrites
        ? `Serving ${tools.length} tools, including tools that write.`
        : `Serving ${tools.length} read-only tools. To add tools that write, use --allow-writes.`,
    );
    const stdout = createStdout(session.output);
    await serveStreams(() => createServer(tools, version, run, explainMissing), {
      stdin: session.io.stdin,
      stdout,
      signal: session.signal,
      onProblem: (message) => session.notes.debug(message),
    });
    await new Promise<void>((resolve) => stdout.end(() => resolve()));
    session.signal.throwIfAborted();
    if (stdout.errored) throw stdout.errored;
  },
};

function createStdout({ json }: Output): Writable {
  const stream = new Writable({
    decodeStrings: false,
    write: (text, _, done) => void json([String(text)]).then(() => done(), done),
  });
  // Allow any number of listeners, because each pending response adds one. Ignore errors here: they are
  // reported at the end, and the signal ends the command if the reader closes the stream.
  return stream.setMaxListeners(0).on("error", () => {});
}

/** @throws usage error (2) for an API without a key */
async function assertKeys(
  apis: readonly ToolApi[],
  targets: Partial<Record<ToolApi, unknown>>,
  session: Session,
): Promise<void> {
  const missing = apis.find((name) => targets[name] === undefined);
  if (missing === undefined) return;
  const { name } = await session.profile();
  throw usageError(`profile "${name}" has no key for the ${missing} API`, {
    hint: `add the key: \`voxctl profiles add ${quoteWord(name)} --api ${missing} --url URL\``,
  });
}

/** Refuses a production profile without --confirm, because no prompts are possible later. */
async function assertWritable(session: Session): Promise<void> {
  const { name, production } = await session.profile();
  const { confirm } = session.flags;
  if (!production || confirm === name) return;
  if (confirm !== undefined)
    throw usageError(`invalid --confirm "${confirm}": expected the name of the profile, "${name}"`);
  throw refusedError(
    "production_profile",
    `profile "${name}" is marked as production`,
    `to allow writes by the assistant, use --confirm=${name}`,
  );
}

async function callTool(
  client: Client,
  tool: ApiTool,
  parts: Parameters<Client["call"]>[1],
  signal: AbortSignal,
): Promise<ToolOutcome> {
  try {
    const { body } = await client.call(tool.operationName, parts, { signal });
    return { isError: false, body: isFields(body) ? body : { data: body ?? {} } };
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    // Add the outcome to the service's error. Only the client knows whether a request took effect.
    const { code, message, details, status, retryable, outcome, retryAfterMilliseconds: wait } = error;
    return toFailure({
      code,
      message,
      details,
      status: status ?? null,
      retryable,
      outcome,
      retry_after_seconds: wait === undefined ? null : Math.ceil(wait / 1000),
      hint: error.hint ?? (outcome === "unknown" ? unconfirmedHint : null),
    });
  }
}

const unconfirmedHint = "check whether the change was made before you retry";

function toFailure(error: object): ToolOutcome {
  return { isError: true, body: { error } };
}
