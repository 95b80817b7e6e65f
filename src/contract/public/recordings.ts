import { defineOperations } from "../operation.js";

export const recordings = defineOperations(
  { api: "public", area: "call_logs.call_recording" }, // public.operations.14b
  {
    "calls.recording.get": {
      method: "GET",
      path: "/calls/{call_id}/recording",
      summary: "Download a call's recording",
      responseShape: "binary",
      // 206 and 416 (D-recording) answer a Range header.
      errors: [416],
    },
    "calls.recording.delete": {
      method: "DELETE",
      path: "/calls/{call_id}/recording",
      summary: "Erase a call's recording for good",
      responseShape: "empty",
      errors: [409],
    },
  },
);
