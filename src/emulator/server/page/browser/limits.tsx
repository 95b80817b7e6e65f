import { useState } from "preact/hooks";
import { useApp } from "./context.js";
import { useLive } from "./live.js";
import { Check, Heading, Nothing, Search, Time } from "./parts/basics.js";
import { Table } from "./parts/table.js";
import { number, rowsOf, text } from "./rows.js";

const columns = [
  { name: "Key", as: "wide" },
  "Type",
  "Bucket",
  { name: "Remaining", as: "number" },
  "Window ends",
] as const;
/** Maximum number of keys to show. If there are more, the user has to search. */
const shownAtMost = 200;

/** The remaining requests for every limit, by key and bucket. */
export function Limits() {
  const { control } = useApp();
  const [onlyUsed, setOnlyUsed] = useState(false);
  const [search, setSearch] = useState("");
  const { data, error } = useLive(async () => rowsOf(await control.get("/limits")), []);
  const matching = (data ?? []).filter(
    (row) =>
      (!onlyUsed || text(row, "resets_at") !== "") &&
      text(row, "name").toLowerCase().includes(search.trim().toLowerCase()),
  );
  return (
    <section aria-labelledby="limits-heading">
      <Heading id="limits-heading">Limits</Heading>
      <div class="tools">
        <Search label="Key" value={search} changed={setSearch} />
        <Check label="Only limits in use" on={onlyUsed} changed={setOnlyUsed} />
      </div>
      {matching.length === 0 ? (
        <Nothing error={error} reading={data === undefined}>
          {search === "" ? "No limits are in use." : "No matching keys."}
        </Nothing>
      ) : (
        <Table caption="Remaining requests for each limit" columns={columns} stack>
          {matching.slice(0, shownAtMost).map((row, index) => {
            const isAgain = text(row, "holder_id") === text(matching[index - 1] ?? {}, "holder_id");
            const [limit, remaining] = [number(row, "limit"), number(row, "remaining")];
            return (
              <tr key={`${text(row, "holder_id")} ${text(row, "bucket")}`}>
                <th scope="row" class={isAgain ? "wide again" : "wide"}>
                  {text(row, "name")}
                </th>
                <td>{text(row, "kind")}</td>
                <td>{text(row, "bucket")}</td>
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
                <td>
                  {text(row, "resets_at") === "" ? null : <span class="narrow">window ends </span>}
                  <Time iso={text(row, "resets_at")} />
                </td>
              </tr>
            );
          })}
        </Table>
      )}
      {matching.length > shownAtMost ? (
        <p class="kind">and {matching.length - shownAtMost} more: search for them</p>
      ) : null}
    </section>
  );
}
