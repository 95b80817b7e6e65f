import { useState } from "preact/hooks";
import { useApp } from "../context.js";
import { useLive } from "../live.js";
import { Button, Field } from "../parts/basics.js";
import { formatHref, go } from "../route.js";
import { rowOf, rowsOf, text } from "../rows.js";

/** A number from a range that is reserved for fiction. */
const fictionalNumber = "+4915100000001";

export function IncomingCall({ organization }: { organization: string }) {
  const { control, attempt, notify } = useApp();
  const [chosen, setChosen] = useState("");
  const [from, setFrom] = useState(fictionalNumber);
  const { data = [] } = useLive(
    async () => rowsOf(await control.get(`/resources/assistants?limit=1000&organization_id=${organization}`)),
    [organization],
    { live: false },
  );
  const assistant = chosen || text(data[0] ?? {}, "id");
  const call = () =>
    attempt(async () => {
      const made = rowOf(
        await control.send("POST", "/incoming-calls", { assistant_id: assistant, from: from.trim() }),
      );
      const id = text(rowOf(made["call"]), "id");
      go(formatHref("calls", [id]));
      notify(`${from} calls.`);
    });
  return (
    <form
      class="form card"
      aria-label="Simulate an incoming call"
      onSubmit={(event) => {
        event.preventDefault();
        void call();
      }}
    >
      <Field label="Assistant">
        {(attributes) => (
          <select
            {...attributes}
            value={assistant}
            onChange={(event) => setChosen(event.currentTarget.value)}
          >
            {data.map((row) => (
              <option key={text(row, "id")} value={text(row, "id")}>
                {[text(row, "name"), text(row, "about")].filter(Boolean).join(", ")}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="From number">
        {(attributes) => (
          <input
            {...attributes}
            type="tel"
            required
            autocomplete="off"
            value={from}
            onInput={(event) => setFrom(event.currentTarget.value)}
          />
        )}
      </Field>
      <div class="row wide">
        <Button variant="primary" act={call} disabled={assistant === ""}>
          Call
        </Button>
        <small>
          Calls the assistant's pre-call webhook, if it has one. The emulator sends no other requests.
        </small>
      </div>
    </form>
  );
}
