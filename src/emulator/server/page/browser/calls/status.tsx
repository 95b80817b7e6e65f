import { Pill } from "../parts/basics.js";
import { Icon } from "../parts/icon.js";
import { type Row, text } from "../rows.js";

/** Shows a call's status. Dots mark a call in progress, because some users can't see the color. */
export function CallStatus({ row }: { row: Row }) {
  const status = text(row, "status");
  const isOver = row["ended_at"] !== null;
  return (
    <Pill tone={!isOver ? "accent" : status === "completed" ? "good" : "warning"}>
      {status.replaceAll("_", " ")}
      {isOver ? "" : " …"}
    </Pill>
  );
}

export function Direction({ row }: { row: Row }) {
  const direction = text(row, "direction");
  return (
    <span class="faint">
      <Icon name={direction === "inbound" ? "inbound" : "outbound"} /> {direction}
    </span>
  );
}
