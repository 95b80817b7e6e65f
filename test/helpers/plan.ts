import { createHash } from "node:crypto";

export function formatPlan({
  header = {},
  steps,
}: {
  header?: Record<string, unknown>;
  steps: readonly object[];
}): string {
  const full = {
    plan: 1,
    nonce: "0123456789abcdef",
    made_at: "2026-11-22T08:27:10.000Z",
    made_by: "voxctl 0.1.0",
    command: ["contacts", "import", "kunden.csv", "--group", "Kunden"],
    target: { base_url: "https://voice.example.com/api/v1", anchors: [] },
    assumed: [],
    estimate: { writes: steps.length, seconds: 1 },
    summary: {},
    secrets: {},
    ...header,
  };
  const lines = [full, ...steps].map((line) => `${JSON.stringify(line)}\n`).join("");
  const sha256 = createHash("sha256").update(lines).digest("hex");
  const count = steps.filter((step) => "step" in step).length;
  return `${lines}${JSON.stringify({ end: count, sha256 })}\n`;
}
