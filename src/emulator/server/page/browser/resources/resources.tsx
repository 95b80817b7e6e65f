import { useApp } from "../context.js";
import { shorten } from "../format.js";
import { usePicked } from "../key.js";
import { useLive } from "../live.js";
import { Breakable, Heading, Nothing, Search, Time } from "../parts/basics.js";
import { Pages, Table } from "../parts/table.js";
import { formatHref, go } from "../route.js";
import { rowsOf, text } from "../rows.js";
import { readNames } from "./names.js";
import { Resource } from "./resource.js";
import { type ResourceType, resourceTypes } from "./resource-types.js";
import { Voices } from "./voices.js";

const pageSize = 50;

export function Resources() {
  const { route } = useApp();
  const [name = resourceTypes[0]?.name, id] = route.path;
  const resourceType = resourceTypes.find((candidate) => candidate.name === name);
  if (resourceType === undefined) return <Voices />;
  if (id === undefined) return <List key={resourceType.name} resourceType={resourceType} />;
  return <Resource key={id} resourceType={resourceType} id={id} />;
}

function List({ resourceType }: { resourceType: ResourceType }) {
  const { control, route } = useApp();
  const organization = usePicked()?.organizationId ?? "";
  const { query } = route;
  const filters = {
    organization_id: organization,
    search: query["search"] ?? "",
    group_id: query["group"] ?? "",
    before: query["before"] ?? "",
  };
  const searchParams = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ""));
  const { data, error } = useLive(
    async () => {
      if (organization === "") return { rows: [], names: {} };
      const rows = rowsOf(
        await control.get(`/resources/${resourceType.name}?limit=${pageSize + 1}&${searchParams}`),
      );
      const names = await readNames(control, [...rows.map((row) => text(row, "group_id")), filters.group_id]);
      return { rows, names: Object.fromEntries(names) };
    },
    [resourceType.name, filters],
    // A search reads the whole list, so don't repeat it after every change.
    { live: filters.search === "" },
  );
  const rows = data?.rows.slice(0, pageSize) ?? [];
  const isGrouped = rows.some((row) => text(row, "group_id") !== "");
  const group = data?.names[filters.group_id];
  return (
    <section aria-labelledby="resources-heading">
      <div class="head row">
        <Heading id="resources-heading">{resourceType.title}</Heading>
        <a class="button primary" href={formatHref("resources", [resourceType.name, "new"])}>
          New {resourceType.noun}
        </a>
      </div>
      <div class="tools row">
        <Search
          label="Search"
          hint="name, number, email or id"
          value={filters.search}
          changed={(search) =>
            go(formatHref("resources", [resourceType.name], { ...query, before: undefined, search }), true)
          }
        />
        {filters.group_id === "" ? null : (
          <p>
            In {group?.name ?? filters.group_id}{" "}
            <a href={formatHref("resources", [resourceType.name])}>Show all</a>
          </p>
        )}
      </div>
      {rows.length === 0 ? (
        <Nothing error={error} reading={data === undefined}>
          <p>{filters.search === "" ? `No ${resourceType.title.toLowerCase()} yet.` : "No matches."}</p>
        </Nothing>
      ) : (
        <Table
          caption={`${resourceType.title}, newest first`}
          columns={[
            { name: "Name", as: "wide" as const },
            { name: "Details", as: "wide" as const },
            ...(isGrouped ? [{ name: "Group", as: "extra" as const }] : []),
            { name: "Changed", as: "extra" as const },
          ]}
        >
          {rows.map((row) => {
            const groupId = text(row, "group_id");
            return (
              <tr key={text(row, "id")}>
                <th scope="row" class="wide">
                  <a href={formatHref("resources", [resourceType.name, text(row, "id")])}>
                    <Breakable>{shorten(text(row, "name"), 120) || "(no name)"}</Breakable>
                  </a>
                </th>
                <td class="wide">
                  <Breakable>{shorten(text(row, "about"), 120)}</Breakable>
                </td>
                {isGrouped ? (
                  <td class="extra">
                    <a href={formatHref("resources", [resourceType.name], { group: groupId })}>
                      {shorten(data?.names[groupId]?.name ?? groupId, 40)}
                    </a>
                  </td>
                ) : null}
                <td class="extra">
                  <Time iso={text(row, "updated_at")} />
                </td>
              </tr>
            );
          })}
        </Table>
      )}
      <Pages
        tab="resources"
        path={[resourceType.name]}
        query={query}
        last={(data?.rows.length ?? 0) > pageSize ? text(rows.at(-1) ?? {}, "id") : undefined}
      />
    </section>
  );
}
