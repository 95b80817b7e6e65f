import type { StruckFault } from "./faults.js";

export interface LogEntry {
  at: number;
  method: string;
  path: string;
  status: number;
  code: string | null;
  rule: string | null;
  duration_ms: number;
  key_id: string | null;
  request_body: string | null;
  response_body: string | null;
  request_headers: Readonly<Record<string, string | undefined>>;
  response_headers: Readonly<Record<string, string>>;
  faults: readonly StruckFault[];
}
