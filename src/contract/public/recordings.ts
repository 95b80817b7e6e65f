import { defineOperations } from "../operation.js";

export const recordings = defineOperations({
  "calls.recording.get": {
    surface: "public",
    method: "GET",
    path: "/calls/{call_id}/recording",
    summary: "Download a call's recording",
    answer: "binary",
    success: 200,
    // 206 and 416 (D-recording) answer a Range header.
    errors: [400, 404, 416],
    bucket: "read",
    permission: "call_logs.call_recording:read",
    feature: null,
  },
  "calls.recording.delete": {
    surface: "public",
    method: "DELETE",
    path: "/calls/{call_id}/recording",
    summary: "Erase a call's recording for good",
    answer: "empty",
    success: 200,
    errors: [400, 404, 409],
    bucket: "write",
    permission: "call_logs.call_recording:delete",
    feature: null,
  },
});
