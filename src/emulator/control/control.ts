import { control } from "../../contract/control/control.js";
import type { ControlOperation } from "../../contract/control/operation.js";
import type { EmulatorState } from "../emulator-state.js";
import { toRefusalResponse, toSuccessResponse } from "../envelope.js";
import { readInput } from "../input.js";
import { controlPrefix, stripQuery } from "../paths.js";
import type { RequestRecord, ResponseRecord } from "../records.js";
import { notFound, Refusal } from "../refusal.js";
import { createRouter, findRoute, type Router } from "../router.js";
import type { StartLine } from "../types.js";
import { assistantHandlers } from "./assistants.js";
import { callHandlers } from "./calls.js";
import { changeHandlers } from "./changes.js";
import { clockHandlers } from "./clock.js";
import { coverageHandlers } from "./coverage.js";
import { emulatorHandlers } from "./emulator.js";
import { faultHandlers } from "./faults.js";
import type { AnyControlHandler, ControlContext, ControlHandlers } from "./handlers.js";
import { incomingCallHandlers } from "./incoming-calls.js";
import { keyHandlers } from "./keys.js";
import { limitHandlers } from "./limits.js";
import { mirrorHandlers } from "./mirror.js";
import { organizationHandlers } from "./organizations.js";
import { authorize, controlPolicy } from "./policy.js";
import { requestHandlers } from "./requests.js";
import { resourceHandlers } from "./resources.js";
import { ruleHandlers } from "./rules.js";
import { snapshotHandlers } from "./snapshots.js";
import { tableHandlers } from "./tables.js";
import { uiHandlers } from "./ui.js";
import { voiceHandlers } from "./voices.js";

const handlers: ControlHandlers<typeof control> = {
  ...emulatorHandlers,
  ...clockHandlers,
  ...changeHandlers,
  ...faultHandlers,
  ...requestHandlers,
  ...resourceHandlers,
  ...limitHandlers,
  ...tableHandlers,
  ...ruleHandlers,
  ...coverageHandlers,
  ...snapshotHandlers,
  ...keyHandlers,
  ...organizationHandlers,
  ...assistantHandlers,
  ...voiceHandlers,
  ...callHandlers,
  ...incomingCallHandlers,
  ...mirrorHandlers,
  ...uiHandlers,
};

interface ControlRoute {
  readonly name: string;
  readonly operation: ControlOperation;
  readonly handler: AnyControlHandler;
  readonly policy: typeof controlPolicy;
}

interface Surroundings extends Pick<ControlContext, "issueTicket" | "routes"> {
  startLine(url: string): StartLine;
  allowPrivateWebhooks(): boolean;
  webhookExample(): Readonly<Record<string, unknown>> | undefined;
  stopServer(): (() => void) | undefined;
  /** Requests from the emulator's web page need no control token. */
  isFromPage(request: RequestRecord): boolean;
}

/** Limits and faults don't affect requests to `/_emulator/…`, and the emulator doesn't log them. */
export function createControl(
  state: EmulatorState,
  surroundings: Surroundings,
): (request: RequestRecord) => Promise<ResponseRecord> {
  const router = createControlRouter();

  function createContext({ headers: { host } }: RequestRecord): ControlContext {
    return {
      state,
      routes: surroundings.routes,
      allowPrivateWebhooks: surroundings.allowPrivateWebhooks(),
      webhookExample: surroundings.webhookExample(),
      stopServer: surroundings.stopServer(),
      issueTicket: surroundings.issueTicket,
      startLine: () => surroundings.startLine(host ? `http://${host}` : "http://emulator.localhost"),
    };
  }

  async function perform(request: RequestRecord): Promise<ResponseRecord> {
    authorize(state, request, surroundings.isFromPage);
    const path = stripQuery(request.target);
    const match = findRoute(router, request.method, path);
    if (!match) {
      const call = `${request.method} ${path.slice(controlPrefix.length)}`;
      throw notFound(`the control operation ${call}`, "emulator.control");
    }
    const { route, parameters } = match;
    const input = readInput(route, parameters, request);
    const changing = route.operation.method !== "GET";
    if (changing) state.options.assertSameFile();
    try {
      const data = await runHandler(state, route, createContext(request), input);
      const result =
        route.operation.responseShape === "page" ? { rows: data, next: null, filters: {} } : data;
      return toSuccessResponse(state, route, result, { limitHeaders: {} });
    } finally {
      // Even after a rollback, the caches may contain the operation's changes.
      if (changing) {
        state.reload();
        state.changes.note();
      }
    }
  }

  return async (request) => {
    try {
      return await perform(request);
    } catch (error) {
      if (error instanceof Refusal) return toRefusalResponse(controlPolicy, error, { limitHeaders: {} });
      throw error;
    }
  };
}

function createControlRouter(): Router<ControlRoute> {
  const entries = Object.entries<ControlOperation>(control).map(([name, operation]) => {
    // The cast is safe, because the operation's schemas parse the input before the handler is called.
    const handler = (handlers as Readonly<Record<string, AnyControlHandler>>)[name];
    if (!handler) throw new Error(`no handler for the control operation ${name}`);
    const route = { name, operation, handler, policy: controlPolicy };
    return { method: operation.method, path: controlPrefix + operation.path, route };
  });
  return createRouter(entries);
}

async function runHandler(
  state: EmulatorState,
  { operation, handler }: ControlRoute,
  context: ControlContext,
  input: Parameters<Extract<AnyControlHandler, (...given: never) => object>>[1],
): Promise<object> {
  if ("alone" in handler) return state.alone(() => handler.alone(context, input));
  const work = "prepare" in handler ? await handler.prepare(context, input) : () => handler(context, input);
  while (state.busy) await state.busy;
  // Write the waiting counters and log entries first, so that the operation sees them.
  state.flush();
  return state.inRequest(() => (operation.method === "GET" ? work() : state.database.transaction(work)));
}
