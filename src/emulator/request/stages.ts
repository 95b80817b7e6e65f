import type { EmulatorState } from "../emulator-state.js";
import type { RequestRecord, ResponseRecord } from "../records.js";
import type { Routes } from "../routes.js";
import { admit } from "./admit.js";
import { createExchange, type RespondTo, type Stage } from "./exchange.js";
import { faults } from "./faults.js";
import { handle } from "./handle.js";
import { limit } from "./limit.js";
import { log } from "./log.js";
import { parseMirrored, reportAbsence } from "./mirror.js";
import { parse } from "./parse.js";
import { permit } from "./permit.js";
import { handleRecorded, record } from "./record.js";
import { refuse } from "./refuse.js";
import { createRouteStage } from "./route.js";

interface Extensions {
  /** A fork records each request and its effect. */
  isFork: boolean;
  /** A mirror returns and accepts its source's data. */
  isMirror: boolean;
}

/** Stages of requests to the service's APIs (D-order). */
function listRequestStages(routes: Routes, extensions: Extensions): readonly Stage[] {
  return [
    log,
    ...(extensions.isFork ? [record] : []),
    createRouteStage(routes),
    admit,
    limit,
    ...listOperationStages(extensions),
  ];
}

/** Stages of an operation, for a request that is already admitted (D-order). */
function listOperationStages({ isFork, isMirror }: Extensions): readonly Stage[] {
  return [
    faults,
    ...(isMirror ? [reportAbsence] : []),
    refuse,
    permit,
    isMirror ? parseMirrored : parse,
    isFork ? handleRecorded : handle,
  ];
}

export function createRequestHandler(
  state: EmulatorState,
  routes: Routes,
): (request: RequestRecord) => ResponseRecord {
  const run = connectStages(state, (extensions) => listRequestStages(routes, extensions));
  return (request) => {
    const exchange = createExchange(state, request, { limitHeaders: {} });
    return state.inRequest(() => run(exchange));
  };
}

/** Handles one operation of an admitted request, because an MCP request can have several operations. */
export function createOperationHandler(state: EmulatorState): RespondTo {
  return connectStages(state, (extensions) => [
    ...(extensions.isFork ? [record] : []),
    ...listOperationStages(extensions),
  ]);
}

/** After the emulator becomes a mirror, requests use the mirror's stages. */
function connectStages(state: EmulatorState, list: (extensions: Extensions) => readonly Stage[]): RespondTo {
  const isFork = state.recorder !== undefined;
  const plain = connect(list({ isFork, isMirror: false }));
  const mirrored = connect(list({ isFork, isMirror: true }));
  return (exchange) => (state.mirror.isMirror ? mirrored : plain)(exchange);
}

function connect(stages: readonly Stage[]): RespondTo {
  return stages.reduceRight<RespondTo>(
    (next, stage) => (exchange) => stage(exchange, next),
    () => {
      throw new Error("no stage responded");
    },
  );
}
