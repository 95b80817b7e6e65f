import { defineOperations } from "../operation.js";

export const recordings = defineOperations(
  { api: "public", area: "call_logs.call_recording" }, // public.operations.14b
  {
    "calls.recording.get": {
      method: "GET",
      path: "/calls/{call_id}/recording",
      summary: "Download a call's recording",
      responseShape: "binary",
      // A request with a `Range` header can return 206 or 416 (D-recording).
      errors: [416],
    },
    "calls.recording.delete": {
      method: "DELETE",
      path: "/calls/{call_id}/recording",
      summary: "Permanently erase a call's recording",
      responseShape: "empty",
      errors: [409],
    },
  },
);
