import { clockEventText } from "../../../../../contract/control/clock-events.js";
import { useClockMove } from "../clock-move.js";
import { useApp } from "../context.js";
import { formatAhead } from "../format.js";
import { useClock, useLive } from "../live.js";
import { Button, Nothing, Time } from "../parts/basics.js";
import { Table } from "../parts/table.js";
import { number, rowsOf, text } from "../rows.js";

export function Scheduled() {
  const { control } = useApp();
  const { now } = useClock();
  const move = useClockMove();
  const { data, error } = useLive(async () => rowsOf(await control.get("/clock/due")), []);
  return (
    <section aria-labelledby="scheduled-heading">
      <h3 id="scheduled-heading">Scheduled events</h3>
      {(data ?? []).length === 0 ? (
        <Nothing error={error} reading={data === undefined}>
          <p>No events are scheduled.</p>
        </Nothing>
      ) : (
        <Table
          caption="Next scheduled event of each type"
          columns={[
            "Event",
            { name: "Count", as: "number extra" },
            "In",
            { name: "Time", as: "extra" },
            { name: "Jump", as: "hidden" },
          ]}
        >
          {data?.map((row) => {
            const [at, event] = [text(row, "at"), clockEventText(text(row, "event"))];
            return (
              <tr key={`${at} ${event}`}>
                <th scope="row" class="wide">
                  {event.charAt(0).toUpperCase() + event.slice(1)}
                </th>
                <td class="number extra">{number(row, "count")}</td>
                <td>{formatAhead(now, at).replace(/^in /, "")}</td>
                <td class="extra">
                  <Time iso={at} />
                </td>
                <td class="actions">
                  <Button variant="quiet" label={`Jump to: ${event}`} act={() => move({ set: at })}>
                    Jump
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
