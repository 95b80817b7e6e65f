import { createHash } from "node:crypto";
import {
  createConflict,
  createInvalid,
  createNotFound,
  type Delivery,
  type Fields,
  objectOf,
  Refusal,
  type ServiceRequest,
  type ServiceResponse,
} from "./exchange.js";
import { listVisible, toPage } from "./lists.js";
import type { Call, Handler } from "./service.js";
import { fieldsOf, type Row, type ServiceState, type Setting } from "./service-state.js";
import { createEmptySuccess } from "./shapes.js";
import { statisticsSummary, statisticsUsage } from "./statistics.js";
import { timestamp } from "./values.js";

/** Duration in seconds of each state except the last. */
const secondsPerState = 5;

interface Calls extends Handler {
  cut(request: ServiceRequest, given: ServiceResponse): Delivery["reaches"];
}

export function createCalls(state: ServiceState, setting: Setting): Calls {
  const { behavior, now, speed } = setting;
  let cuts = 0;

  function stateOf(row: Row): { status: string; isOver: boolean } {
    const states = behavior.statusesBefore;
    const passed = ((now() - row.createdAt) * speed) / 1000;
    const status = states[Math.floor(passed / secondsPerState)];
    if (fieldsOf(row)["over"] !== true && status !== undefined) return { status, isOver: false };
    return { status: String(fieldsOf(row)["outcome"] ?? behavior.finalStatus), isOver: true };
  }

  function view(row: Row, detail: boolean): Fields {
    const { status, isOver } = stateOf(row);
    const { assistant_id, to, details, has_recording } = fieldsOf(row);
    const seconds = behavior.statusesBefore.length * secondsPerState;
    const created = row.createdAt + behavior.clockOff;
    return {
      id: row.id,
      assistant_id,
      to,
      status,
      created_at: timestamp(created, detail ? behavior.timestamps : behavior.listTimestamps),
      ...(isOver && behavior.sendsEndedAt
        ? { ended_at: timestamp(created + seconds * 1000, "milliseconds") }
        : {}),
      ...(isOver ? { duration_seconds: 61 } : {}),
      recording: { available: isOver && has_recording !== false },
      ...(detail
        ? {
            details,
            transcript: isOver
              ? [{ role: "assistant", text: `Guten Tag. ${String(details ?? "")}`, offset_seconds: 0 }]
              : [],
            analyses: [],
            notes: [],
          }
        : {}),
    };
  }

  function trigger({ body }: Call): ServiceResponse {
    const fields = objectOf(body);
    const to = fields["to"] ?? fields["target_phone"];
    if (typeof to !== "string") throw createInvalid("to", "exactly one of to and target_phone is required");
    const assistant = state
      .rows("assistants")
      .find(
        (row) =>
          row.id === fields["assistant_id"] || fieldsOf(row)["phone_number"] === fields["assistant_phone"],
      );
    if (assistant === undefined) throw createNotFound("the assistant");
    const recent = state
      .rows("calls")
      .some(
        (row) => fieldsOf(row)["assistant_id"] === assistant.id && (now() - row.createdAt) * speed < 60_000,
      );
    // public.limits.1
    if (recent) throw new Refusal(429, "rate_limit_exceeded", "the assistant has just made a call");
    if (to.endsWith("0000")) throw new Refusal(409, "outbound_target_blocked", "the target is blocked");
    const number = to
      .replace(/[^+\d]/g, "")
      .replace(/^00/, "+")
      .replace(/^0/, "+49");
    const row = state.insert(
      "calls",
      { assistant_id: assistant.id, to: number, details: fields["details"] },
      "client",
    );
    return {
      status: 201,
      body: {
        data: {
          call_id: row.id,
          assistant_id: assistant.id,
          assistant_phone: fieldsOf(assistant)["phone_number"] ?? null,
          to: number,
          status: "queued",
          created_at: timestamp(row.createdAt + behavior.clockOff, behavior.timestamps),
        },
      },
    };
  }

  function list({ query }: Call): ServiceResponse {
    const assistantId = query.get("assistant_id");
    const all = listVisible(state.everRows("calls"), setting)
      .filter(({ fields }) => assistantId === null || fields["assistant_id"] === assistantId)
      .reverse();
    const page = toPage(
      all,
      { limit: query.get("limit"), cursor: query.get("cursor") },
      { ...behavior, order: "newest first" },
    );
    const meta = { has_more: page.next !== undefined, next_cursor: page.next ?? null };
    return { status: 200, body: { data: page.rows.map(({ row }) => view(row, false)), meta } };
  }

  function recording(row: Row, { headers }: Call): ServiceResponse {
    if (!stateOf(row).isOver) throw createNotFound("the recording");
    const bytes = recordingOf(row.id);
    const tag = `"${createHash("sha256").update(bytes).digest("hex").slice(0, 16)}"`;
    const common: Record<string, string> = {
      "content-type": behavior.recordingType,
      "accept-ranges": "bytes",
      ...(behavior.etag === "none" ? {} : { etag: behavior.etag === "weak" ? `W/${tag}` : tag }),
    };
    const rangeMatch = /^bytes=(\d+)-(\d*)$/.exec(headers["range"] ?? "");
    const condition = headers["if-range"];
    // A weak tag never matches If-Range (RFC 9110, 13.1.5).
    if (!rangeMatch || (condition !== undefined && condition !== tag))
      return { status: 200, headers: common, bytes };
    const start = Number(rangeMatch[1]);
    if (start >= bytes.length)
      throw new Refusal(416, "validation_failed", "the range begins after the end", [], {
        "content-range": `bytes */${bytes.length}`,
      });
    const requestedEnd = rangeMatch[2] === "" ? bytes.length : Number(rangeMatch[2]) + 1;
    const end = Math.min(requestedEnd, bytes.length, start + behavior.largestRange);
    const range = { "content-range": `bytes ${start}-${end - 1}/${bytes.length}` };
    return { status: 206, headers: { ...common, ...range }, bytes: bytes.subarray(start, end) };
  }

  function eraseRecording(row: Row): ServiceResponse {
    if (!stateOf(row).isOver) throw createConflict("the call is still running");
    state.change(row, { has_recording: false });
    return createEmptySuccess(behavior);
  }

  function handle(call: Call): ServiceResponse | undefined {
    const [name, id, part] = call.path;
    if (name === "statistics" && call.method === "GET" && id === "summary")
      return statisticsSummary(state, setting);
    if (name === "statistics" && call.method === "GET" && id === "usage")
      return statisticsUsage(state, setting, call);
    if (name !== "calls") return undefined;
    if (id === undefined)
      return call.method === "GET" ? list(call) : call.method === "POST" ? trigger(call) : undefined;
    if (!/^[a-f0-9]{24}$/.test(id)) throw createInvalid("call_id", "the id is malformed");
    const row = state.get("calls", id);
    if (row === undefined) throw createNotFound("the call");
    if (part === undefined)
      return call.method === "GET" ? { status: 200, body: { data: view(row, true) } } : undefined;
    if (part !== "recording") return undefined;
    if (call.method === "DELETE") return eraseRecording(row);
    if (fieldsOf(row)["has_recording"] === false) throw createNotFound("the recording");
    return call.method === "GET" ? recording(row, call) : undefined;
  }

  return Object.assign(handle, {
    cut({ target }: ServiceRequest, { status, bytes }: ServiceResponse): Delivery["reaches"] {
      if (
        bytes === undefined ||
        status >= 300 ||
        !target.endsWith("/recording") ||
        cuts >= behavior.cutsRecordings
      )
        return "whole" as const;
      cuts += 1;
      return Math.floor(bytes.length / 2);
    },
  });
}

/** Returns the bytes of a recording: 60 kB, different for each call. */
export function recordingOf(id: string): Uint8Array {
  const parts: Buffer[] = [];
  for (let count = 0; count < 1_900; count += 1)
    parts.push(createHash("sha256").update(`${id} ${count}`).digest());
  return Buffer.concat(parts);
}
