import { useApp } from "./context.js";
import { formatCount, shorten } from "./format.js";
import { useLive } from "./live.js";
import { Box, Button, Heading, Nothing } from "./parts/basics.js";
import { Table } from "./parts/table.js";
import { formatHref, go } from "./route.js";
import { number, type Row, rowOf, rowsOf, text } from "./rows.js";

const pageSize = 50;
const longest = 60;

export function Raw() {
  const { route } = useApp();
  const [table] = route.path;
  return table ? <Rows key={table} table={table} /> : <Tables />;
}

function Tables() {
  const { control } = useApp();
  const { data, error } = useLive(async () => rowOf(rowOf(await control.get("/status"))["counts"]), [], {
    live: false,
  });
  const names = Object.keys(data ?? {});
  const filled = names.filter((name) => number(data ?? {}, name) > 0);
  const empty = names.filter((name) => !filled.includes(name));
  return (
    <section aria-labelledby="raw-heading">
      <div class="head row">
        <Heading id="raw-heading">Raw</Heading>
        <p class="faint">The tables of the emulator database, as SQLite stores them; secrets are masked.</p>
      </div>
      {data === undefined ? (
        <Nothing error={error} reading />
      ) : (
        <>
          <ul class="grid">
            {filled.map((name) => (
              <li key={name} class="line">
                <a href={formatHref("raw", [name])}>{name}</a>
                <span class="faint">{number(data, name).toLocaleString("en")}</span>
              </li>
            ))}
          </ul>
          <h3>Empty tables</h3>
          <p class="links row">
            {empty.map((name) => (
              <a key={name} href={formatHref("raw", [name])}>
                {name}
              </a>
            ))}
          </p>
        </>
      )}
    </section>
  );
}

function Rows({ table }: { table: string }) {
  const { control, route } = useApp();
  const offset = Number(route.query["offset"] ?? 0) || 0;
  const { data, error, reload } = useLive(
    async () => {
      const [page, status] = await Promise.all([
        control.get(`/tables/${encodeURIComponent(table)}?limit=${pageSize}&offset=${offset}`),
        control.get("/status"),
      ]);
      return { rows: rowsOf(page), count: number(rowOf(rowOf(status)["counts"]), table) };
    },
    [table, offset],
    { live: false },
  );
  const { rows = [], count = 0 } = data ?? {};
  // A page with long values has fewer rows.
  const end = offset + rows.length;
  const columns = Object.keys(rows[0] ?? {});
  const move = (to: number) => async () =>
    go(formatHref("raw", [table], { offset: to > 0 ? String(to) : "" }));
  return (
    <section aria-labelledby="raw-heading">
      <a class="faint" href="#raw">
        ← All tables
      </a>
      <div class="head row">
        <Heading id="raw-heading">{table}</Heading>
      </div>
      <div class="tools row">
        <Button act={move(offset - pageSize)} disabled={offset === 0}>
          Newer
        </Button>
        <Button act={move(end)} disabled={rows.length === 0 || end >= count}>
          Older
        </Button>
        <Button act={reload}>Refresh</Button>
        <span class="faint">{rows.length === 0 ? "" : `rows ${offset + 1} to ${end}, newest first`}</span>
      </div>
      {rows.length === 0 ? (
        <Nothing error={error} reading={data === undefined}>
          <p>This table has no rows.</p>
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
    </section>
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
