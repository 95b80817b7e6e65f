import { useEffect, useState } from "preact/hooks";
import { useApp } from "../context.js";
import { decodeAddress, formatCount, shorten } from "../format.js";
import { Button, Check, Nothing, Search, Status, Time } from "../parts/basics.js";
import { Pages, Table } from "../parts/table.js";
import { formatHref, go } from "../route.js";
import { number, type Row, text } from "../rows.js";
import { Errors } from "./errors.js";
import { useFollowed } from "./follow.js";
import { Request } from "./request.js";
import { NewRequest } from "./sender.js";
import { RequestWays } from "./ways.js";
import { Webhooks } from "./webhooks.js";

const columns = [
  "Time",
  "Status",
  "Method",
  { name: "Path", as: "wide" },
  { name: "Rule", as: "extra" },
  { name: "Fault", as: "extra" },
  { name: "Duration", as: "number extra" },
] as const;

export function Requests() {
  const { route } = useApp();
  const [id] = route.path;
  if (id === "webhooks") return <Webhooks />;
  if (id === "errors") return <Errors />;
  if (id === "new") return <NewRequest />;
  return id ? <Request key={id} id={id} /> : <List />;
}

function List() {
  const { route, pulse } = useApp();
  const { query } = route;
  // While the log is open, its tab doesn't count new requests.
  useEffect(() => pulse.lookAtRequests(), [pulse]);
  const filters = {
    search: query["search"] ?? "",
    errors: query["errors"] === "1",
    own: query["own"] === "1",
    before: query["before"] ?? "",
  };
  const [paused, setPaused] = useState(false);
  const [hidden, setHidden] = useState(0);
  const { rows, error, hasMore, reading } = useFollowed(filters, !paused && filters.before === "");
  const shown = rows.filter((row) => number(row, "id") > hidden);
  const filter = (name: string, value: string) =>
    go(formatHref("requests", [], { ...query, before: undefined, [name]: value }), true);
  return (
    <section aria-labelledby="requests-heading">
      <RequestWays current="log" />
      <div class="tools row">
        <Search
          label="Search"
          hint="in paths, bodies and rules"
          value={filters.search}
          changed={(value) => filter("search", value)}
        />
        <Check label="Errors only" on={filters.errors} changed={(on) => filter("errors", on ? "1" : "")} />
        <Check
          label="Include this page's requests"
          on={filters.own}
          changed={(on) => filter("own", on ? "1" : "")}
        />
        <Check label="Paused" on={paused} changed={setPaused} />
        <Button act={async () => setHidden(number(rows[0] ?? {}, "id"))}>Clear list</Button>
      </div>
      {shown.length === 0 ? (
        <Nothing error={error} reading={reading}>
          <p>{rows.length > 0 ? "No new requests." : "No requests yet. New requests will appear here."}</p>
        </Nothing>
      ) : (
        <Table caption="Requests, newest first" columns={columns}>
          {shown.map((row) => (
            <Line key={text(row, "id")} row={row} />
          ))}
        </Table>
      )}
      <Pages
        tab="requests"
        path={[]}
        query={query}
        last={hasMore ? text(rows.at(-1) ?? {}, "id") : undefined}
      />
      <p class="hidden" role="status">
        {reading ? "" : formatCount(shown.length, "request")}
      </p>
    </section>
  );
}

function Line({ row }: { row: Row }) {
  const rule = text(row, "rule");
  const faults = Array.isArray(row["faults"]) ? row["faults"] : [];
  return (
    <tr>
      <td>
        <Time iso={text(row, "at")} clock />
      </td>
      <td>
        <Status status={number(row, "status")} />
      </td>
      <td>{text(row, "method")}</td>
      <td class="wide">
        <a href={formatHref("requests", [text(row, "id")])}>
          {shorten(decodeAddress(text(row, "path")), 160)}
        </a>
      </td>
      <td class="extra">{rule === "" ? null : <a href={formatHref("rules", [rule])}>{rule}</a>}</td>
      <td class="extra">{faults.map(({ kind }) => String(kind)).join(", ")}</td>
      <td class="number extra">{number(row, "duration_ms").toFixed(1)} ms</td>
    </tr>
  );
}
