import { useState } from "preact/hooks";
import { useApp } from "../context.js";
import { formatClockTime } from "../format.js";
import { usePicked } from "../key.js";
import { useLive } from "../live.js";
import { Button, Heading, Nothing, Search, Time } from "../parts/basics.js";
import { Icon } from "../parts/icon.js";
import { Pages, Table } from "../parts/table.js";
import { formatHref, go } from "../route.js";
import { number, type Row, rowsOf, text } from "../rows.js";
import { Call } from "./call.js";
import { Chart } from "./chart.js";
import { IncomingCall } from "./incoming.js";
import { CallStatus, Direction } from "./status.js";

const pageSize = 50;
const columns = [
  "Started",
  { name: "Direction", as: "extra" },
  "From",
  { name: "To", as: "extra" },
  { name: "Assistant", as: "extra" },
  "Status",
  { name: "Duration", as: "number extra" },
  { name: "Recording", as: "extra" },
] as const;

export function Calls() {
  const { route } = useApp();
  const [id] = route.path;
  return id ? <Call id={id} /> : <List />;
}

function List() {
  const { control, route } = useApp();
  const picked = usePicked();
  const { query } = route;
  const [calling, setCalling] = useState(query["simulate"] === "1");
  const organization = picked?.organizationId ?? "";
  const filters = {
    organization_id: organization,
    assistant_id: query["assistant"] ?? "",
    number: query["number"] ?? "",
    before: query["before"] ?? "",
  };
  const searchParams = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ""));
  const calls = useLive(
    async () =>
      organization === "" ? [] : rowsOf(await control.get(`/calls?limit=${pageSize + 1}&${searchParams}`)),
    [filters],
  );
  const rows = calls.data?.slice(0, pageSize) ?? [];
  const filter = (name: string, value: string) =>
    go(formatHref("calls", [], { ...query, before: undefined, [name]: value }), true);
  return (
    <section aria-labelledby="calls-heading">
      <div class="head row">
        <Heading id="calls-heading">Calls</Heading>
        <Button variant="primary" act={async () => setCalling(!calling)}>
          Simulate an incoming call
        </Button>
      </div>
      {calling ? <IncomingCall organization={organization} /> : null}
      {organization === "" ? null : <Chart organization={organization} assistant={filters.assistant_id} />}
      <div class="tools row">
        <Assistants
          organization={organization}
          value={filters.assistant_id}
          changed={(id) => filter("assistant", id)}
        />
        <Search
          label="Part of a phone number"
          value={filters.number}
          changed={(value) => filter("number", value)}
        />
      </div>
      {rows.length === 0 ? (
        <Nothing error={calls.error} reading={calls.data === undefined}>
          <p>
            {filters.number === "" && filters.assistant_id === ""
              ? "No calls yet. Simulate an incoming call, or trigger a call through the API."
              : "No matching calls."}
          </p>
        </Nothing>
      ) : (
        <Table caption="Calls, newest first" columns={columns}>
          {rows.map((row) => (
            <Line key={text(row, "id")} row={row} />
          ))}
        </Table>
      )}
      <Pages
        tab="calls"
        path={[]}
        query={query}
        last={(calls.data?.length ?? 0) > pageSize ? text(rows.at(-1) ?? {}, "id") : undefined}
      />
    </section>
  );
}

function Line({ row }: { row: Row }) {
  const id = text(row, "id");
  const recording = row["recording"];
  const isRecorded =
    typeof recording === "object" && recording !== null && "available" in recording && recording.available;
  const seconds = row["duration_seconds"];
  return (
    <tr>
      <td>
        <a href={formatHref("calls", [id])}>
          <Time iso={text(row, "created_at")} />
        </a>
      </td>
      <td class="extra">
        <Direction row={row} />
      </td>
      <td>
        {text(row, "from")}
        <span class="narrow faint">→ {text(row, "to")}</span>
      </td>
      <td class="extra">{text(row, "to")}</td>
      <td class="wide extra">{text(row, "assistant_name") || text(row, "assistant_id")}</td>
      <td>
        <CallStatus row={row} />
      </td>
      <td class="number extra">
        {typeof seconds === "number" ? formatClockTime(number(row, "duration_seconds")) : "–"}
      </td>
      <td class="extra faint">
        {isRecorded ? (
          <>
            <Icon name="recording" /> recorded
          </>
        ) : null}
      </td>
    </tr>
  );
}

function Assistants(props: { organization: string; value: string; changed: (id: string) => void }) {
  const { control } = useApp();
  const { data = [] } = useLive(
    async () =>
      props.organization === ""
        ? []
        : rowsOf(await control.get(`/resources/assistants?limit=1000&organization_id=${props.organization}`)),
    [props.organization],
    { live: false },
  );
  return (
    <div class="field">
      <label for="assistant">Assistant</label>
      <select
        id="assistant"
        value={props.value}
        onChange={(event) => props.changed(event.currentTarget.value)}
      >
        <option value="">all</option>
        {data.map((row) => (
          <option key={text(row, "id")} value={text(row, "id")}>
            {text(row, "name")}
          </option>
        ))}
      </select>
    </div>
  );
}
