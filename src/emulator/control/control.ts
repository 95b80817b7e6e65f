import { timingSafeEqual } from "node:crypto";
import type { Schema } from "../../contract/operation.js";
import { digestOf } from "../kernel/keys.js";
import { controlPrefix, decodedSegment } from "../paths.js";
import { bearerOf } from "../policy.js";
import { publicPolicy } from "../public/surface.js";
import type { RequestRecord, ResponseRecord } from "../records.js";
import { foreignOrigin, invalid, notFound, Refusal } from "../refusal.js";
import type { StartLine } from "../types.js";
import { parseWith } from "../validation.js";
import type { World } from "../world.js";
import { assistantCalls } from "./assistants.js";
import type { ControlCall, ControlContext } from "./call.js";
import { callCalls } from "./calls.js";
import { clockCalls } from "./clock.js";
import { coverageCalls } from "./coverage.js";
import { faultCalls } from "./faults.js";
import { incomingCalls } from "./incoming-calls.js";
import { keyCalls } from "./keys.js";
import { limitCalls } from "./limits.js";
import { organizationCalls } from "./organizations.js";
import { requestCalls } from "./requests.js";
import { ruleCalls } from "./rules.js";
import { snapshotCalls } from "./snapshots.js";
import { statusCalls } from "./status.js";
import { tableCalls } from "./tables.js";
import { uiCalls } from "./ui.js";
import { voiceCalls } from "./voices.js";
import { words } from "./words.js";

const calls: readonly ControlCall[] = [
  ...statusCalls,
  ...organizationCalls,
  ...keyCalls,
  ...clockCalls,
  ...faultCalls,
  ...requestCalls,
  ...snapshotCalls,
  ...coverageCalls,
  ...assistantCalls,
  ...callCalls,
  ...incomingCalls,
  ...voiceCalls,
  ...limitCalls,
  ...tableCalls,
  ...ruleCalls,
  ...uiCalls,
];

/** Answers a request to `/_emulator/…`: outside limits, faults and the request log. */
export async function answerControl(
  world: World,
  request: RequestRecord,
  options: {
    startLine: (url: string) => StartLine;
    allowPrivateWebhooks: boolean;
    issueTicket: () => Promise<string>;
    /** Does it come from the page for people, in place of the token? */
    isFromPage: (request: RequestRecord) => boolean;
  },
): Promise<ResponseRecord> {
  let changing = false;
  try {
    authorize(world, request, options.isFromPage);
    const host = request.headers["host"];
    const context: ControlContext = {
      world,
      allowPrivateWebhooks: options.allowPrivateWebhooks,
      issueTicket: options.issueTicket,
      startLine: () => options.startLine(host ? `http://${host}` : "http://emulator.localhost"),
    };
    const { call, id } = findCall(request);
    const query = parsed(
      call.query,
      Object.fromEntries(new URLSearchParams(request.target.split("?")[1] ?? "")),
    );
    const body = call.body ? parsed(call.body, bodyOf(request)) : {};
    const input = { id, body: body as never, query: query as never };
    changing = call.method !== "GET";
    if (changing) world.options.assertInPlace();
    const { alone } = call;
    const data = alone
      ? await world.alone(() => alone(context, input))
      : await runCall(world, call, context, input);
    return envelope(
      call.success ?? 200,
      call.list ? { data, meta: { has_more: false, next_cursor: null } } : { data: data ?? {} },
    );
  } catch (error) {
    if (error instanceof Refusal) {
      return {
        ...envelope(publicPolicy.statusOf(error), publicPolicy.errorBody(error)),
        headers: {
          "Content-Type": "application/json; charset=utf-8",
          "X-Emulator-Rule": error.rule,
          ...error.headers,
        },
      };
    }
    throw error;
  } finally {
    // Cached rows are as old as the call, or were rolled back with it.
    if (changing) world.reload();
  }
}

async function runCall(
  world: World,
  call: ControlCall,
  context: ControlContext,
  input: Parameters<NonNullable<ControlCall["run"]>>[1],
): Promise<unknown> {
  const prepared = await call.prepare?.(context, input);
  while (world.busy) await world.busy;
  // Writes that wait for their batch belong to the state that the call sees.
  world.flush();
  const run = () => call.run?.(context, input, prepared);
  return world.inRequest(() => (call.method === "GET" ? run() : world.database.transaction(run)));
}

// emulator.control
function authorize(
  world: World,
  request: RequestRecord,
  isFromPage: (request: RequestRecord) => boolean,
): void {
  const foreign = foreignOrigin(request.headers);
  if (foreign) throw foreign;
  if (isFromPage(request)) return;
  const token = bearerOf(request.headers);
  if (token === undefined || !timingSafeEqual(digestOf(token), digestOf(world.controlToken))) {
    throw new Refusal(
      "unauthorized",
      "emulator.control",
      "send the header Authorization: Bearer <control token>",
      [],
      {
        "WWW-Authenticate": "Bearer",
      },
    );
  }
}

function findCall(request: RequestRecord): { call: ControlCall; id: string } {
  const path = (request.target.split("?")[0] ?? "").slice(controlPrefix.length);
  for (const call of calls) {
    if (call.method !== request.method) continue;
    const pattern = new RegExp(`^${call.path.replace(/\{\w+\}/, "([^/]+)")}$`);
    const found = pattern.exec(path);
    if (found) return { call, id: decodedSegment(found[1] ?? "") };
  }
  throw notFound(`the control call ${request.method} ${path}`, "emulator.control");
}

function bodyOf(request: RequestRecord): unknown {
  const { body } = request;
  if (body === undefined || body.length === 0) return {};
  try {
    return JSON.parse(
      typeof body === "string" ? body : new TextDecoder("utf-8", { fatal: true }).decode(body),
    );
  } catch {
    throw invalid("D-body", [{ path: [], message: "the body is no JSON" }]);
  }
}

function parsed(schema: Schema | undefined, value: unknown): unknown {
  if (!schema) return {};
  const result = parseWith(schema, value, words);
  if (!result.ok) throw invalid(result.problems.rule, result.problems.details);
  return result.value;
}

function envelope(status: number, body: object): ResponseRecord {
  return {
    status,
    headers: { "Content-Type": "application/json; charset=utf-8" },
    body: JSON.stringify(body),
  };
}
