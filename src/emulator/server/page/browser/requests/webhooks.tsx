import { useApp } from "../context.js";
import { useLive } from "../live.js";
import { Nothing, Status, Time } from "../parts/basics.js";
import { Pages, Table } from "../parts/table.js";
import { formatHref } from "../route.js";
import { number, rowsOf, text } from "../rows.js";
import { Ways } from "./ways.js";

const pageSize = 50;

/** The requests that the emulator sent to the pre-call webhooks of assistants. */
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
      <Ways current="webhooks" />
      {rows.length === 0 ? (
        <Nothing error={error} reading={data === undefined}>
          No webhooks were called. Simulate a call to an assistant that has a webhook: see{" "}
          <a href="#calls">Calls</a>.
        </Nothing>
      ) : (
        <Table
          stack
          caption="Outgoing webhooks, newest first"
          columns={["Time", "Status", { name: "To", as: "wide" }, "Assistant"]}
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
                <span class="wrong">{text(row, "error")}</span>
              </td>
              <td class="wide">{text(row, "url")}</td>
              <td>{text(row, "assistant_name") || text(row, "assistant_id")}</td>
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
