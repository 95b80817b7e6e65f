import { useApp } from "../context.js";
import { useLive } from "../live.js";
import { Nothing, Status, Time } from "../parts/basics.js";
import { Pages, Table } from "../parts/table.js";
import { formatHref } from "../route.js";
import { number, rowsOf, text } from "../rows.js";
import { RequestWays } from "./ways.js";

const pageSize = 50;

export function Webhooks() {
  const { control, route } = useApp();
  const before = route.query["before"];
  const { data, error } = useLive(
    async () =>
      rowsOf(await control.get(`/incoming-calls?limit=${pageSize + 1}${before ? `&before=${before}` : ""}`)),
    [before],
  );
  const rows = data?.slice(0, pageSize) ?? [];
  return (
    <section aria-labelledby="requests-heading">
      <RequestWays current="webhooks" />
      {rows.length === 0 ? (
        <Nothing error={error} reading={data === undefined}>
          <p>
            No pre-call webhook was called. The emulator calls an assistant's webhook when the assistant
            receives a call.
          </p>
          <a class="button" href={formatHref("calls", [], { simulate: "1" })}>
            Simulate an incoming call
          </a>
        </Nothing>
      ) : (
        <Table
          caption="Outgoing webhooks, newest first"
          columns={["Time", "Status", { name: "To", as: "wide" }, { name: "Assistant", as: "extra" }]}
        >
          {rows.map((row) => (
            <tr key={text(row, "call_id")}>
              <td>
                <a href={formatHref("calls", [text(row, "call_id")])}>
                  <Time iso={text(row, "at")} />
                </a>
              </td>
              <td>
                {row["status"] === null ? null : <Status status={number(row, "status")} />}{" "}
                <span class="bad">{text(row, "error")}</span>
              </td>
              <td class="wide">{text(row, "url")}</td>
              <td class="extra">{text(row, "assistant_name") || text(row, "assistant_id")}</td>
            </tr>
          ))}
        </Table>
      )}
      <Pages
        tab="requests"
        path={["webhooks"]}
        query={route.query}
        last={(data?.length ?? 0) > pageSize ? text(rows.at(-1) ?? {}, "call_id") : undefined}
      />
    </section>
  );
}
