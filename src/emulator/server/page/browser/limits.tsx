import { useState } from "preact/hooks";
import { useApp } from "./context.js";
import { useLive } from "./live.js";
import { Breakable, Heading, Nothing, Search, Time } from "./parts/basics.js";
import { Table } from "./parts/table.js";
import { number, type Row, rowsOf, text } from "./rows.js";

const shownAtMost = 200;

export function Limits() {
  const { control } = useApp();
  const [search, setSearch] = useState("");
  const { data, error } = useLive(async () => rowsOf(await control.get("/limits")), []);
  const matching = (data ?? []).filter((row) =>
    text(row, "name").toLowerCase().includes(search.trim().toLowerCase()),
  );
  const used = matching.filter((row) => text(row, "resets_at") !== "");
  const unused = new Map<string, Row[]>();
  for (const row of matching.filter((candidate) => !used.includes(candidate))) {
    const holder = text(row, "holder_id");
    unused.set(holder, [...(unused.get(holder) ?? []), row]);
  }
  const more = Math.max(used.length, unused.size) - shownAtMost;
  return (
    <section aria-labelledby="limits-heading">
      <div class="head row">
        <Heading id="limits-heading">Limits</Heading>
      </div>
      <div class="tools row">
        <Search label="Key" value={search} changed={setSearch} />
      </div>
      {matching.length === 0 ? (
        <Nothing error={error} reading={data === undefined}>
          <p>No matching keys.</p>
        </Nothing>
      ) : (
        <>
          <h3>In use</h3>
          {used.length === 0 ? (
            <p class="faint">No requests have been counted in the current windows.</p>
          ) : (
            <Used rows={used} />
          )}
          {unused.size === 0 ? null : <Unused keys={[...unused.values()]} />}
        </>
      )}
      {more > 0 ? <p class="faint">and {more} more; to find a key, use the search</p> : null}
    </section>
  );
}

function Used({ rows }: { rows: readonly Row[] }) {
  return (
    <Table
      caption="Limits in use"
      columns={[
        { name: "Key", as: "wide" },
        { name: "Type", as: "extra" },
        "Bucket",
        { name: "Remaining", as: "number" },
        { name: "Window ends", as: "extra" },
      ]}
    >
      {rows.slice(0, shownAtMost).map((row) => {
        const [limit, remaining] = [number(row, "limit"), number(row, "remaining")];
        return (
          <tr key={`${text(row, "holder_id")} ${text(row, "bucket")}`}>
            <th scope="row" class="wide">
              {text(row, "name")}
            </th>
            <td class="extra">{text(row, "kind")}</td>
            <td>{text(row, "bucket").replaceAll("_", " ")}</td>
            <td class="number">
              {remaining} of {limit}{" "}
              <meter
                min={0}
                max={Math.max(1, limit)}
                low={limit / 4}
                high={limit / 2}
                optimum={limit}
                value={remaining}
                aria-hidden="true"
              />
            </td>
            <td class="extra">
              <Time iso={text(row, "resets_at")} />
            </td>
          </tr>
        );
      })}
    </Table>
  );
}

function Unused({ keys }: { keys: readonly (readonly Row[])[] }) {
  return (
    <>
      <h3>Not in use</h3>
      <Table
        caption="Limits that are not in use"
        columns={[
          { name: "Key", as: "wide" },
          { name: "Type", as: "extra" },
          { name: "Requests per window", as: "wide" },
        ]}
      >
        {keys.slice(0, shownAtMost).map((rows) => {
          const [first = {}] = rows;
          return (
            <tr key={text(first, "holder_id")}>
              <th scope="row" class="wide">
                <Breakable>{text(first, "name")}</Breakable>
              </th>
              <td class="extra">{text(first, "kind")}</td>
              <td class="wide">
                {rows
                  .map(
                    (row) =>
                      `${text(row, "bucket").replaceAll("_", " ")} ${number(row, "limit").toLocaleString("en")}`,
                  )
                  .join(", ")}
              </td>
            </tr>
          );
        })}
      </Table>
    </>
  );
}
