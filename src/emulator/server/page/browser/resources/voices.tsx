import { useApp } from "../context.js";
import { useLive } from "../live.js";
import { Button, Heading, Nothing } from "../parts/basics.js";
import { Table } from "../parts/table.js";
import { rowsOf, text } from "../rows.js";

/** Unlike the API, this view can also change voices. */
export function Voices() {
  const { control, attempt } = useApp();
  const voices = useLive(async () => rowsOf(await control.get("/voices")), [], { live: false });
  const change = (id: string, selectable: boolean) =>
    attempt(async () => {
      await control.send("PATCH", `/voices/${encodeURIComponent(id)}`, { selectable });
      await voices.reload();
    });
  return (
    <section aria-labelledby="voices-heading">
      <div class="head row">
        <Heading id="voices-heading">Voices</Heading>
      </div>
      {voices.data === undefined ? (
        <Nothing error={voices.error} reading />
      ) : (
        <Table
          caption="List of voices"
          columns={[
            "Name",
            { name: "Generation", as: "extra" },
            "Selectable",
            { name: "Change", as: "hidden" },
          ]}
        >
          {voices.data.map((row) => {
            const selectable = row["selectable"] === true;
            return (
              <tr key={text(row, "id")}>
                <th scope="row">{text(row, "name")}</th>
                <td class="extra">{text(row, "generation")}</td>
                <td>{selectable ? "yes" : "no"}</td>
                <td class="actions">
                  <Button act={() => change(text(row, "id"), !selectable)}>
                    {selectable ? "Withdraw" : "Offer"}
                    <span class="hidden"> {text(row, "name")}</span>
                  </Button>
                </td>
              </tr>
            );
          })}
        </Table>
      )}
    </section>
  );
}
