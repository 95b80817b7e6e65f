import { type Row, text } from "../rows.js";

/** The status of a call. A call in progress is not marked by color alone. */
export function CallStatus({ row }: { row: Row }) {
  const status = text(row, "status");
  const isOver = row["ended_at"] !== null;
  const statusClass = !isOver ? "s3" : status === "completed" ? "s2" : "s4";
  return (
    <span class={`status chip ${statusClass}`}>
      {text(row, "direction")} {status.replaceAll("_", " ")}
      {isOver ? "" : " …"}
    </span>
  );
}
