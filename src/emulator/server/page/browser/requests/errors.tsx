import { useEffect } from "preact/hooks";
import { useApp } from "../context.js";
import { decodeAddress, formatCount, shorten } from "../format.js";
import { useLive } from "../live.js";
import { Breakable, Nothing, Status, Time } from "../parts/basics.js";
import { Table } from "../parts/table.js";
import { formatHref } from "../route.js";
import { number, type Row, rowsOf, text } from "../rows.js";
import { RequestWays } from "./ways.js";

const columns = [
  { name: "Count", as: "number" },
  "Status",
  { name: "Request", as: "wide" },
  { name: "Refused by", as: "wide" },
  { name: "Last", as: "extra" },
  { name: "First", as: "extra" },
] as const;

const shownAtMost = 200;

const throttleMilliseconds = 1_000;

export function Errors() {
  const { control, route, pulse } = useApp();
  const own = route.query["own"] === "1";
  const { data, error, reload } = useLive(
    async () => rowsOf(await control.get(`/request-errors?page=${own}`)),
    [own],
    { live: false },
  );
  // Wait before a read, because reading the whole log after every change would slow down a busy emulator.
  useEffect(() => {
    let waiting: number | undefined;
    const end = pulse.subscribe(() => {
      waiting ??= setTimeout(() => {
        waiting = undefined;
        void reload();
      }, throttleMilliseconds);
    });
    return () => {
      end();
      clearTimeout(waiting);
    };
  }, [pulse, reload]);
  const rows = data ?? [];
  return (
    <section aria-labelledby="requests-heading">
      <RequestWays current="errors" />
      {rows.length === 0 ? (
        <Nothing error={error} reading={data === undefined}>
          <p>The log contains no refused requests.</p>
        </Nothing>
      ) : (
        <>
          <p class="faint">
            {formatCount(
              rows.reduce((sum, row) => sum + number(row, "count"), 0),
              "refused request",
            )}{" "}
            in {formatCount(rows.length, "group")} by operation, status and API rule.
          </p>
          <Table caption="Errors by operation and API rule, newest first" columns={columns}>
            {rows.slice(0, shownAtMost).map((row) => (
              <Line key={`${text(row, "first_id")}`} row={row} />
            ))}
          </Table>
        </>
      )}
    </section>
  );
}

function Line({ row }: { row: Row }) {
  const rule = text(row, "rule");
  const operation = text(row, "operation");
  const faults = Array.isArray(row["faults"]) ? row["faults"].map(String) : [];
  const [first, last] = [text(row, "first_id"), text(row, "last_id")];
  return (
    <tr>
      <td class="number">
        <a href={formatHref("requests", [], { errors: "1", search: rule || text(row, "code") })}>
          {number(row, "count").toLocaleString("en")}×
        </a>
      </td>
      <td>
        <Status status={number(row, "status")} />
      </td>
      <td class="wide">
        <strong>
          <Breakable>{operation || `${text(row, "method")}, unknown path`}</Breakable>
        </strong>
        <br />
        <span class="faint">
          <Breakable>{shorten(`${text(row, "method")} ${decodeAddress(text(row, "path"))}`, 120)}</Breakable>
        </span>
      </td>
      <td class="wide">
        {rule === "" ? (
          text(row, "code")
        ) : (
          <a href={formatHref("rules", [rule])}>
            <Breakable>{rule}</Breakable>
          </a>
        )}
        <br />
        <span class="faint">
          {text(row, "code")}
          {faults.length > 0 ? `, caused by fault ${faults.join(", ")}` : ""}
        </span>
      </td>
      <td class="extra">
        <a href={formatHref("requests", [last])}>
          <Time iso={text(row, "last_at")} />
        </a>
      </td>
      <td class="extra">
        {first === last ? null : (
          <a href={formatHref("requests", [first])}>
            <Time iso={text(row, "first_at")} />
          </a>
        )}
      </td>
    </tr>
  );
}
