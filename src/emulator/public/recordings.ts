import type { recordings } from "../../contract/public/recordings.js";
import { buildRecording, type Recording } from "../audio/recording.js";
import { computeCallState } from "../calls/life-cycle.js";
import { eraseRecording } from "../calls/store.js";
import { BinaryResponse, type Handlers, type PublicContext } from "../context.js";
import { parseRange } from "../kernel/byte-range.js";
import { conflict, invalid, notFound, Refusal } from "../refusal.js";
import { requireCall } from "./calls.js";

/** @throws Refusal not_found if the recording is missing, not ready or erased (public.operations.13c, 14a) */
function requireRecording(context: PublicContext, callId: string): Recording {
  const { plan } = requireCall(context, callId);
  const { recording } = computeCallState(plan, context.now);
  if (recording !== "available" || plan.recordingFormat === null) {
    const rule = recording === "erased" ? "public.operations.14a" : "public.operations.13c";
    throw notFound(`a recording of call ${callId}`, rule);
  }
  return buildRecording(callId, plan.recordingFormat, plan.durationSeconds);
}

export const recordingHandlers: Handlers<typeof recordings> = {
  "calls.recording.get": (context, { path }) => {
    const file = requireRecording(context, path.call_id);
    // public.operations.13a
    const { range, "if-range": ifRange } = context.requestHeaders;
    const part = parseRange(range, ifRange, file);
    if (part.type === "unsatisfiable") {
      const refusal = invalid("D-recording", [
        { path: ["Range"], message: `starts after the end of the file (${file.length} bytes)` },
      ]);
      const headers = { "Content-Range": `bytes */${file.length}`, "Accept-Ranges": "bytes" };
      throw new Refusal(refusal.code, refusal.rule, refusal.message, refusal.details, headers, 416);
    }
    const { start, end } = part.type === "part" ? part : { start: 0, end: file.length };
    const headers: Record<string, string> = {
      "Content-Type": file.contentType,
      "Content-Length": String(end - start),
      "Accept-Ranges": "bytes",
      ETag: file.etag,
    };
    if (part.type === "part") headers["Content-Range"] = `bytes ${start}-${end - 1}/${file.length}`;
    return new BinaryResponse(part.type === "part" ? 206 : 200, headers, file.slice(start, end));
  },

  "calls.recording.delete": (context, { path }) => {
    const { id, plan } = requireCall(context, path.call_id);
    const state = computeCallState(plan, context.now);
    if (!state.isOver) throw conflict("public.operations.14e", `the call ${id} is still running`);
    switch (state.recording) {
      case "none":
        throw notFound(`a recording of call ${id}`, "public.operations.14d");
      case "pending":
        throw conflict("public.operations.14e", `the recording of call ${id} is still being processed`);
      case "erased":
        // public.operations.14c
        return;
      case "available":
        if (context.strikes("recording_erase_failure")) {
          throw new Refusal("internal_error", "public.operations.14f", "the audio was not completely erased");
        }
        // Keep the call, but make all of its audio unavailable (public.operations.14a).
        eraseRecording(context.database, id, context.now);
    }
  },
};
