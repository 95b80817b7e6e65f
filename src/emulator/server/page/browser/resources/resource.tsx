import { useState } from "preact/hooks";
import type { ApiResponse } from "../api.js";
import { useApp } from "../context.js";
import { usePicked } from "../key.js";
import { useLive } from "../live.js";
import { Button, Copy, Heading, Nothing } from "../parts/basics.js";
import { Refused } from "../parts/rule.js";
import { formatHref, go } from "../route.js";
import { type Row, rowOf, text } from "../rows.js";
import { Details } from "./details.js";
import { Form } from "./form.js";
import { JsonForm } from "./json-form.js";
import type { ResourceType } from "./resource-types.js";
import { createShapes, type Shapes } from "./schema.js";

/** The API's description doesn't change while the page is open. */
const shapesOf: Shapes = createShapes();

export function Resource({ resourceType, id }: { resourceType: ResourceType; id: string }) {
  const isNew = id === "new";
  const { api, route, notify, attempt, confirm } = useApp();
  const key = usePicked()?.id ?? "";
  const [refusal, setRefusal] = useState<ApiResponse | undefined>(undefined);
  const [version, setVersion] = useState(0);
  const path = isNew ? resourceType.path : `${resourceType.path}/${encodeURIComponent(id)}`;
  const { data, error, reload } = useLive(
    async () => {
      const shapes = await shapesOf(resourceType.schema + (isNew ? "Create" : "Update"));
      if (isNew || key === "") return { shapes, response: undefined };
      return { shapes, response: await api.send("GET", path) };
    },
    [path, key],
    { live: false },
  );
  const stored = data?.response ? rowOf(data.response.data) : undefined;
  const isFound = isNew || data?.response?.ok === true;

  const send = (body: Row) =>
    attempt(async () => {
      setRefusal(undefined);
      const response = await api.send(isNew ? "POST" : "PATCH", path, JSON.stringify(body));
      if (!response.ok) {
        setRefusal(response);
        return;
      }
      notify(`${response.method} ${path}: ${response.status}. ${isNew ? "Created." : "Updated."}`);
      if (isNew) {
        go(formatHref("resources", [resourceType.name, text(rowOf(response.data), "id")]));
        return;
      }
      await reload();
      // Replace the form's content with the stored values.
      setVersion(version + 1);
    });
  const remove = async () => {
    const name = stored ? getTitle(stored) : id;
    const text =
      resourceType.name === "groups"
        ? "All items in the group will also be deleted."
        : "Deleted resources can't be restored.";
    if (!(await confirm({ title: `Delete ${name}?`, text, action: "Delete", isDestructive: true }))) return;
    await attempt(async () => {
      const response = await api.send("DELETE", path);
      if (!response.ok) setRefusal(response);
      else {
        go(formatHref("resources", [resourceType.name]));
        notify(`Deleted ${name}.`);
      }
    });
  };

  const asJson = route.query["as"] === "json";
  const here = [resourceType.name, id];
  return (
    <section aria-labelledby="resource-heading">
      <a class="faint" href={formatHref("resources", [resourceType.name])}>
        ← {resourceType.title}
      </a>
      <div class="head row">
        <Heading id="resource-heading">
          {isNew ? `New ${resourceType.noun}` : stored && isFound ? getTitle(stored) : resourceType.noun}
        </Heading>
        {isNew || !isFound ? null : (
          <>
            <Copy text={location.href}>Copy link</Copy>
            <Button variant="destructive" act={remove}>
              Delete…
            </Button>
          </>
        )}
      </div>
      {data === undefined ? (
        <Nothing error={error} reading />
      ) : !isFound ? (
        data.response ? (
          <Refused response={data.response} />
        ) : (
          <Nothing>
            <p>Select a key first.</p>
          </Nothing>
        )
      ) : (
        <>
          <nav aria-label="Editor" class="tabs">
            <a href={formatHref("resources", here)} aria-current={asJson ? undefined : "true"}>
              Form
            </a>
            <a
              href={formatHref("resources", here, { as: "json" })}
              aria-current={asJson ? "true" : undefined}
            >
              JSON
            </a>
          </nav>
          {refusal ? <Refused response={refusal} /> : null}
          <div class="beside">
            {asJson ? (
              <JsonForm key={version} stored={stored} shapes={data.shapes} send={send} />
            ) : (
              <Form
                key={version}
                resourceType={resourceType}
                shapes={data.shapes}
                stored={stored}
                refusal={refusal}
                send={send}
              />
            )}
            {stored && !isNew ? (
              <Details resourceType={resourceType} resource={stored} shapes={data.shapes} />
            ) : null}
          </div>
        </>
      )}
    </section>
  );
}

function getTitle(resource: Row): string {
  const person = `${text(resource, "first_name")} ${text(resource, "last_name")}`.trim();
  return (
    text(resource, "name") ||
    person ||
    text(resource, "term") ||
    text(resource, "token") ||
    text(resource, "id")
  );
}
