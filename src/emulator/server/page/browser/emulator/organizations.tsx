import { useApp } from "../context.js";
import { formatCount } from "../format.js";
import { useLive } from "../live.js";
import { Button, Facts, Nothing, Pill } from "../parts/basics.js";
import { number, type Row, rowOf, rowsOf, text } from "../rows.js";

const shownAtOnce = 100;

export function Organizations() {
  const { control, attempt } = useApp();
  const { data, error, reload } = useLive(
    async () => {
      const [organizations, distributors] = await Promise.all([
        control.get("/organizations?counts=true"),
        control.get("/distributors"),
      ]);
      return { organizations: rowsOf(organizations), distributors: rowsOf(distributors) };
    },
    [],
    { live: false },
  );
  const change = (id: string, status: string) =>
    attempt(async () => {
      await control.send("PATCH", `/organizations/${encodeURIComponent(id)}`, { status });
      await reload();
    });
  if (data === undefined) return <Nothing error={error} reading />;
  const first = text(data.organizations[0] ?? {}, "id");
  const childrenOf = (id: string) => data.organizations.filter((row) => text(row, "parent_id") === id);
  const tops = childrenOf("");
  const alone = tops.filter((row) => text(row, "distributor_id") === "");
  const tree = { first, childrenOf, change };
  return (
    <section aria-labelledby="organizations-heading">
      <h3 id="organizations-heading" class="hidden">
        Organizations
      </h3>
      {data.distributors.map((distributor) => {
        const id = text(distributor, "id");
        const own = tops.filter((row) => text(row, "distributor_id") === id);
        return (
          <details key={id} open>
            <summary>
              {text(distributor, "name")}{" "}
              <span class="faint">distributor, {formatCount(own.length, "MSP")}</span>
            </summary>
            <Branch rows={own} {...tree} />
          </details>
        );
      })}
      {alone.length > 0 ? <h4>Without a distributor</h4> : null}
      <Branch rows={alone} {...tree} />
    </section>
  );
}

interface Tree {
  first: string;
  childrenOf: (id: string) => readonly Row[];
  change: (id: string, status: string) => Promise<boolean>;
}

function Branch({ rows, ...tree }: Tree & { rows: readonly Row[] }) {
  if (rows.length === 0) return null;
  return (
    <ul class="branch">
      {rows.slice(0, shownAtOnce).map((row) => (
        <Organization key={text(row, "id")} row={row} {...tree} />
      ))}
      {rows.length > shownAtOnce ? (
        <li class="faint">and {rows.length - shownAtOnce} more; see Raw</li>
      ) : null}
    </ul>
  );
}

const types: Readonly<Record<string, string>> = { msp: "MSP", customer: "customer" };

function Organization({ row, ...tree }: Tree & { row: Row }) {
  const id = text(row, "id");
  const name = text(row, "name");
  const below = tree.childrenOf(id);
  const counts = rowOf(row["counts"]);
  const isActive = text(row, "status") === "active";
  const features = Array.isArray(row["features"]) ? row["features"].join(", ") : "";
  const facts = [
    types[text(row, "type")] ?? "organization",
    id === tree.first ? "first organization; the keys printed at startup belong to it" : "",
    below.length > 0 ? formatCount(below.length, "customer") : "",
    ...["assistants", "contacts", "calls"]
      .filter((field) => number(counts, field) > 0)
      .map((field) => `${number(counts, field).toLocaleString("en")} ${field}`),
  ];
  return (
    <li>
      <details>
        <summary>
          {name} <span class="faint">{facts.filter(Boolean).join(", ")}</span>{" "}
          {isActive ? null : <Pill tone="warning">{text(row, "status")}</Pill>}
        </summary>
        <Facts
          of={[
            ["ID", <code key="id">{id}</code>],
            ["Features", features || "none"],
            ["Numbers available", text(row, "number_pool")],
            ...Object.keys(counts).map((field) => [field.replaceAll("_", " "), text(counts, field)] as const),
          ]}
        />
        <Button
          variant={isActive ? "destructive" : undefined}
          label={`${isActive ? "Block" : "Activate"} ${name}`}
          act={() => tree.change(id, isActive ? "blocked" : "active")}
        >
          {isActive ? "Block" : "Activate"}
        </Button>
        <Branch rows={below} {...tree} />
      </details>
    </li>
  );
}
