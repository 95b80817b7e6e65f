import type { Session } from "../../../cli/session/session.js";
import type { ErasureFacts } from "./facts.js";

const actions = {
  delete: "deleted",
  recording: "recording erased",
  redact: "caller's data replaced with [erased]",
} as const;
const previewActions = {
  delete: "will be deleted",
  recording: "recording will be erased",
  redact: "the caller's data will be replaced with [erased]",
} as const;

/**
 * A preview shows the data that would be erased.
 * @param shown.receipt the receipt's path; null if it could not be written
 */
export async function showErasure(
  { output }: Session,
  { search, decision, reference, result, local }: ErasureFacts,
  { plan_id, ...shown }: { plan_id: string | null } & ({ isPreview: true } | { receipt: string | null }),
): Promise<void> {
  const { formatOperatorRequest } = await import("../index.js");
  const { remains, hints, erasures } = decision;
  const text = formatOperatorRequest(remains, { service: search.baseUrl, reference });
  const isPreview = "isPreview" in shown;
  const receipt = isPreview ? null : shown.receipt;
  const done =
    result === undefined
      ? erasures
      : result.erased.filter(({ failure }) => failure === undefined).map(({ erasure }) => erasure);
  if (output.format !== "table") {
    const rows = done.map(({ where, id, action }) => ({ where, id, action }));
    const { searched, notSearched } = search.findings;
    await output.item({
      ...(isPreview ? { erased: [], would_erase: rows } : { erased: rows }),
      ...{ remains, hints, searched },
      not_searched: notSearched.map(({ where, id, reason }) => ({ where, id, reason })),
      local: local === undefined ? null : isPreview ? toLocalPreview(local) : local,
      ...{ operator_text: text, plan_id, run_id: result?.run_id ?? null, receipt },
    });
    return;
  }
  const words = isPreview ? previewActions : actions;
  const deleted = isPreview ? "will be deleted" : "deleted";
  const lines = [
    ...done.map(({ where, id, action }) => `- ${where} ${id}  ${words[action]}`),
    ...(local?.erased ?? []).map(({ area, path, what }) => `- ${area} ${path}  ${what} ${deleted}`),
    ...remains.map(
      ({ where, id, what, todo }) => `! ${where}${id === null ? "" : ` ${id}`}  ${what}: ${todo}`,
    ),
    ...(local?.remains ?? []).map(({ area, path, what, todo }) => `! ${area} ${path}  ${what}: ${todo}`),
    ...hints.map(
      ({ where, id }) => `? ${where} ${id}  matches only by name; to erase it, use --include ${id}`,
    ),
  ];
  if (lines.length === 0) lines.push("no matches in the searched data");
  await output.lines(lines);
  if (text !== "") await output.text(`\n${text}`);
  if (receipt !== null) await output.lines(["", `receipt: ${receipt}`]);
}

function toLocalPreview({ erased, remains }: NonNullable<ErasureFacts["local"]>) {
  return { erased: [], would_erase: erased, remains };
}
