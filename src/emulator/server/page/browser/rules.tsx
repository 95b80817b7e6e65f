import { useState } from "preact/hooks";
import { useApp } from "./context.js";
import { formatCount } from "./format.js";
import { useLive } from "./live.js";
import { Breakable, Button, Heading, Nothing, Pill, Search, Sentence } from "./parts/basics.js";
import { Choice } from "./parts/choice.js";
import { Table } from "./parts/table.js";
import { type Row, rowsOf, text } from "./rows.js";

const shownAtMost = 60;

const states: Readonly<Record<string, string>> = {
  met: "covered",
  unmet: "not covered yet",
  unobservable: "not verifiable by requests",
};

export function Rules() {
  const { route } = useApp();
  const [id = ""] = route.path;
  // A link to another rule starts a new search.
  return <List key={id} id={id} />;
}

function List({ id }: { id: string }) {
  const { control, rulebook } = useApp();
  const [search, setSearch] = useState(id);
  const [state, setState] = useState("");
  const rules = useLive(() => rulebook.all(), [], { live: false });
  const coverage = useLive(async () => rowsOf(await control.get("/coverage")), [], { live: false });
  const met = new Map((coverage.data ?? []).map((row) => [text(row, "rule"), row]));
  const stateOf = (rule: Row) => text(met.get(text(rule, "id")) ?? {}, "state");

  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = (rules.data ?? []).filter((rule) => {
    const content = `${text(rule, "id")} ${text(rule, "text")}`.toLowerCase();
    return words.every((word) => content.includes(word)) && (state === "" || stateOf(rule) === state);
  });
  // If the user typed a rule ID, list this rule first.
  const exact = matching.filter((rule) => text(rule, "id").toLowerCase() === words[0]);
  const ordered = [...exact, ...matching.filter((rule) => !exact.includes(rule))];
  const more = ordered.length > shownAtMost ? `, ${shownAtMost} shown` : "";
  const all = coverage.data ?? [];
  const metCount = all.filter((row) => text(row, "state") === "met").length;
  const observable = all.filter((row) => text(row, "state") !== "unobservable").length;
  return (
    <section aria-labelledby="rules-heading">
      <div class="head row">
        <Heading id="rules-heading">Rules</Heading>
        <Button act={coverage.reload}>Refresh</Button>
      </div>
      <p class="faint">
        {coverage.data
          ? `The logged requests covered ${metCount} of ${formatCount(observable, "rule")} that can be verified by requests. `
          : ""}
        Rules are from the service's documents unless marked as assumed or as specific to the emulator.
      </p>
      <div class="tools row">
        <Search label="Search" hint="rule id or text" value={search} changed={setSearch} />
        <Choice
          label="Coverage"
          value={state}
          of={[
            { value: "", label: "all" },
            ...Object.entries(states).map(([value, label]) => ({ value, label })),
          ]}
          changed={setState}
        />
        <p class="faint" role="status">
          {formatCount(ordered.length, "rule")}
          {more}
        </p>
      </div>
      {rules.data === undefined ? (
        <Nothing error={rules.error} reading />
      ) : (
        <Table
          caption="API rules"
          columns={[
            { name: "Rule", as: "wide" },
            { name: "Text", as: "wide" },
            { name: "Coverage", as: "extra" },
          ]}
        >
          {ordered.slice(0, shownAtMost).map((rule) => (
            <tr key={text(rule, "id")}>
              <th scope="row" class="wide">
                <Breakable>{text(rule, "id")}</Breakable>
                <br />
                <Origin rule={rule} />
              </th>
              <td class="wide">
                <Sentence>{text(rule, "text")}</Sentence>
              </td>
              <td class="extra">
                <Coverage row={met.get(text(rule, "id"))} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

/** Shows the origin of a rule, except for rules from the service's documents, which are the majority. */
function Origin({ rule }: { rule: Row }) {
  const origin = text(rule, "kind");
  if (origin === "specified") return null;
  return <span class="faint">{origin === "assumed" ? "assumed" : "emulator only"}</span>;
}

/** Most rules are not covered, so missing coverage is not shown as a problem. */
function Coverage({ row }: { row: Row | undefined }) {
  if (!row) return null;
  const state = text(row, "state");
  if (state === "met")
    return <Pill tone="good">covered by {formatCount(Number(row["requests"]), "request")}</Pill>;
  return <span class="faint">{states[state] ?? state}</span>;
}
