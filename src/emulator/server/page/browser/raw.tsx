import { useApp } from "./context.js";
import { formatCount, shorten } from "./format.js";
import { useLive } from "./live.js";
import { Box, Button, Heading, Nothing } from "./parts/basics.js";
import { Table } from "./parts/table.js";
import { formatHref, go } from "./route.js";
import { number, type Row, rowOf, rowsOf, text } from "./rows.js";

const pageSize = 50;
const longest = 60;

/** The tables of the emulator database. */
export function Raw() {
  const { control, route } = useApp();
  const [table] = route.path;
  const { data, error } = useLive(async () => rowOf(rowOf(await control.get("/status"))["counts"]), [table], {
    live: false,
  });
  return (
    <section aria-labelledby="raw-heading">
      <Heading id="raw-heading">Raw</Heading>
      <p class="kind">The tables of the emulator database, as SQLite stores them; secrets are masked.</p>
      <div class="beside">
        {data === undefined ? (
          <Nothing error={error} reading>
            {""}
          </Nothing>
        ) : (
          <Table
            caption="Tables with their number of rows"
            columns={["Table", { name: "Rows", as: "number" }]}
          >
            {Object.keys(data).map((name) => (
              <tr key={name}>
                <th scope="row">
                  <a href={formatHref("raw", [name])} aria-current={name === table ? "true" : undefined}>
                    {name}
                  </a>
                </th>
                <td class="number">{number(data, name).toLocaleString("en")}</td>
              </tr>
            ))}
          </Table>
        )}
        {table === undefined ? (
          <p class="empty">Select a table to see its rows.</p>
        ) : (
          <Rows key={table} table={table} />
        )}
      </div>
    </section>
  );
}

function Rows({ table }: { table: string }) {
  const { control, route } = useApp();
  const offset = Number(route.query["offset"] ?? 0) || 0;
  const { data, error, reload } = useLive(
    async () =>
      rowsOf(
        await control.get(`/tables/${encodeURIComponent(table)}?limit=${pageSize + 1}&offset=${offset}`),
      ),
    [table, offset],
    { live: false },
  );
  const rows = data?.slice(0, pageSize) ?? [];
  const columns = Object.keys(rows[0] ?? {});
  const move = (to: number) => async () =>
    go(formatHref("raw", [table], { offset: to > 0 ? String(to) : "" }));
  return (
    <div>
      <h3>{table}</h3>
      <div class="tools">
        <Button act={move(offset - pageSize)} disabled={offset === 0}>
          Newer
        </Button>
        <Button act={move(offset + pageSize)} disabled={(data?.length ?? 0) <= pageSize}>
          Older
        </Button>
        <Button act={reload}>Refresh</Button>
        <span>{rows.length === 0 ? "" : `rows ${offset + 1} to ${offset + rows.length}, newest first`}</span>
      </div>
      {rows.length === 0 ? (
        <Nothing error={error} reading={data === undefined}>
          No rows.
        </Nothing>
      ) : (
        <Table caption={`Rows of ${table}`} columns={columns}>
          {rows.map((row, index) => (
            <tr key={`${offset + index}`}>
              {columns.map((name) => (
                <Cell key={name} row={row} name={name} />
              ))}
            </tr>
          ))}
        </Table>
      )}
    </div>
  );
}

function Cell({ row, name }: { row: Row; name: string }) {
  const content = text(row, name);
  if (content.length <= longest)
    return <td class={typeof row[name] === "number" ? "number" : undefined}>{content}</td>;
  return (
    <td>
      {/* Each value is expanded separately, so that one long value does not fill the page. */}
      <details>
        <summary>
          {shorten(content, 40)} ({formatCount(content.length, "character")})
        </summary>
        <Box label={name}>{content}</Box>
      </details>
    </td>
  );
}
