import { useApp } from "../context.js";
import { short } from "../format.js";
import { usePicked } from "../key.js";
import { useLive } from "../live.js";
import { Heading, Nothing, Search, Time } from "../parts/basics.js";
import { Pages, Table } from "../parts/table.js";
import { go, hrefOf } from "../route.js";
import { rowsOf, text } from "../rows.js";
import { type Kind, kinds } from "./kinds.js";
import { namesOf } from "./names.js";
import { Thing } from "./thing.js";
import { Voices } from "./voices.js";

const pageSize = 50;

/** The tab of resources: the things of the picked key's organization. */
export function Resources() {
  const { route } = useApp();
  const [name = "assistants", id] = route.path;
  const kind = kinds.find((one) => one.name === name);
  return (
    <div class="beside">
      <nav aria-label="Kinds of things" class="kinds">
        <ul>
          {kinds.map((one) => (
            <li key={one.name}>
              <a href={hrefOf("resources", [one.name])} aria-current={one.name === name ? "true" : undefined}>
                {one.title}
              </a>
            </li>
          ))}
          <li>
            <a href={hrefOf("resources", ["voices"])} aria-current={name === "voices" ? "true" : undefined}>
              Voices
            </a>
          </li>
        </ul>
      </nav>
      {kind === undefined ? (
        <Voices />
      ) : id === undefined ? (
        <List key={kind.name} kind={kind} />
      ) : (
        <Thing key={id} kind={kind} id={id} />
      )}
    </div>
  );
}

function List({ kind }: { kind: Kind }) {
  const { control, route } = useApp();
  const organization = usePicked()?.organizationId ?? "";
  const { query } = route;
  const filters = {
    organization_id: organization,
    search: query["search"] ?? "",
    group_id: query["group"] ?? "",
    before: query["before"] ?? "",
  };
  const asked = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ""));
  const { data, error } = useLive(
    async () => {
      if (organization === "") return { rows: [], names: {} };
      const rows = rowsOf(await control.get(`/resources/${kind.name}?limit=${pageSize + 1}&${asked}`));
      const names = await namesOf(control, [...rows.map((row) => text(row, "group_id")), filters.group_id]);
      return { rows, names: Object.fromEntries(names) };
    },
    [kind.name, filters],
    // A search reads the whole list: not with every change.
    { live: filters.search === "" },
  );
  const rows = data?.rows.slice(0, pageSize) ?? [];
  const isGrouped = rows.some((row) => text(row, "group_id") !== "");
  const group = data?.names[filters.group_id];
  return (
    <section aria-labelledby="resources-heading">
      <div class="head">
        <Heading id="resources-heading">{kind.title}</Heading>
        <a class="button main" href={hrefOf("resources", [kind.name, "new"])}>
          New {kind.noun}
        </a>
      </div>
      <div class="tools">
        <Search
          label="Search"
          hint="name, number, e-mail or id"
          value={filters.search}
          changed={(search) =>
            go(hrefOf("resources", [kind.name], { ...query, before: undefined, search }), true)
          }
        />
        {filters.group_id === "" ? null : (
          <p>
            In {group?.name ?? filters.group_id} <a href={hrefOf("resources", [kind.name])}>Show all</a>
          </p>
        )}
      </div>
      {rows.length === 0 ? (
        <Nothing error={error} reading={data === undefined}>
          {filters.search === "" ? `No ${kind.title.toLowerCase()} yet.` : "None is called so."}
        </Nothing>
      ) : (
        <Table
          stack
          caption={`${kind.title}, newest first`}
          columns={[
            { name: "Name", as: "wide" },
            { name: "What", as: "wide" },
            ...(isGrouped ? ["Group"] : []),
            "Changed",
          ]}
        >
          {rows.map((row) => {
            const groupId = text(row, "group_id");
            return (
              <tr key={text(row, "id")}>
                <th scope="row" class="wide">
                  <a href={hrefOf("resources", [kind.name, text(row, "id")])}>
                    {short(text(row, "name"), 120) || "(no name)"}
                  </a>
                </th>
                <td class="wide">{short(text(row, "about"), 120)}</td>
                {isGrouped ? (
                  <td>
                    <a href={hrefOf("resources", [kind.name], { group: groupId })}>
                      {short(data?.names[groupId]?.name ?? groupId, 40)}
                    </a>
                  </td>
                ) : null}
                <td>
                  <Time iso={text(row, "updated_at")} />
                </td>
              </tr>
            );
          })}
        </Table>
      )}
      <Pages
        tab="resources"
        path={[kind.name]}
        query={query}
        last={(data?.rows.length ?? 0) > pageSize ? text(rows.at(-1) ?? {}, "id") : undefined}
      />
    </section>
  );
}
