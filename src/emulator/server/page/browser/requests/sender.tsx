import { useState } from "preact/hooks";
import { secretMask } from "../../../../../base/secret-mask.js";
import { apis } from "../../../../../contract/apis.js";
import type { ApiResponse } from "../api.js";
import { useApp } from "../context.js";
import { indentJson, shorten } from "../format.js";
import { usePicked } from "../key.js";
import { useLive } from "../live.js";
import { Box, Button, Field, Status } from "../parts/basics.js";
import { Choice } from "../parts/choice.js";
import { Rule } from "../parts/rule.js";
import { formatHref } from "../route.js";
import { type Row, rowOf, rowsOf, text } from "../rows.js";
import { findSemanticHeaders, isIncomplete } from "./commands.js";
import { RequestWays } from "./ways.js";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];

export function NewRequest() {
  return (
    <section aria-labelledby="requests-heading">
      <RequestWays current="new" />
      <Sender row={{ method: "GET", path: "/api/v1/" }} title="Request" />
    </section>
  );
}

export function Sender({ row, title }: { row: Row; title: string }) {
  const { api, control, attempt, confirm, pulse } = useApp();
  const logged = text(row, "request_body");
  const [method, setMethod] = useState(text(row, "method"));
  const [path, setPath] = useState(text(row, "path"));
  const [body, setBody] = useState(indentJson(logged));
  const active = api.keys().filter(({ status }) => status === "active");
  const former = text(row, "key_id");
  const [picked, setPicked] = useState(active.some(({ id }) => id === former) ? former : "");
  const current = usePicked();
  const keyId = picked || (current?.id ?? "");
  const [response, setResponse] = useState<ApiResponse | undefined>(undefined);
  const [newId, setNewId] = useState("");
  const kept = isIncomplete(path, logged);
  const hasBody = method !== "GET";

  const send = async () => {
    if (method !== "GET") {
      const question = {
        title: `Send ${method} ${shorten(path, 60)}?`,
        text: "This request can change data.",
        action: "Send",
      };
      if (!(await confirm(question))) return;
    }
    await attempt(async () => {
      setResponse(undefined);
      const type = text(rowOf(row["request_headers"]), "content-type");
      const sent = await api.send(method, path, hasBody && body !== "" ? body : undefined, {
        keyId,
        headers: {
          ...(type === "" ? {} : { "Content-Type": type }),
          ...Object.fromEntries(findSemanticHeaders(row)),
        },
      });
      setResponse(sent);
      setNewId(text(rowsOf(await control.get("/requests?limit=1&brief=true"))[0] ?? {}, "id"));
      await pulse.beat();
    });
  };
  return (
    <form
      class="form card"
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {kept ? (
        <p class="bad wide">
          The log masks secrets and truncates long bodies. Before you send the request, replace {secretMask}{" "}
          and add missing text.
        </p>
      ) : null}
      <div class="address wide">
        <Choice label="Method" value={method} of={methods} changed={setMethod} />
        <Field label="Path">
          {(attributes) => (
            <input
              {...attributes}
              class="code"
              required
              pattern="/.*"
              list="addresses"
              spellcheck={false}
              autocomplete="off"
              title="full path, such as /api/v1/contacts"
              value={path}
              onInput={(event) => setPath(event.currentTarget.value)}
            />
          )}
        </Field>
        <Choice
          label="Key"
          value={keyId}
          of={active.map(({ id, name, kind }) => ({ value: id, label: `${name} (${kind})` }))}
          changed={setPicked}
        />
      </div>
      <Addresses method={method} />
      {hasBody ? (
        <Field label="Body" wide>
          {(attributes) => (
            <textarea
              {...attributes}
              class="code"
              rows={Math.min(20, Math.max(4, body.split("\n").length + 1))}
              spellcheck={false}
              value={body}
              onInput={(event) => setBody(event.currentTarget.value)}
            />
          )}
        </Field>
      ) : null}
      <div class="row wide">
        <Button variant="primary" act={send}>
          {hasBody ? "Send…" : "Send"}
        </Button>
        {newId === "" ? null : <a href={formatHref("requests", [newId])}>New request</a>}
      </div>
      {response ? (
        <section class="wide" aria-label="Response" aria-live="polite">
          <p>
            Received <Status status={response.status} /> {response.code}
          </p>
          <Rule id={response.rule} />
          <Box label="Response body">
            {typeof response.body === "string" ? response.body : JSON.stringify(response.body, null, 2)}
          </Box>
        </section>
      ) : null}
    </form>
  );
}

function Addresses({ method }: { method: string }) {
  const { control } = useApp();
  const { data = [] } = useLive(async () => rowsOf(await control.get("/operations")), [], { live: false });
  return (
    <datalist id="addresses">
      {data
        .filter((row) => text(row, "method") === method)
        .map((row) => (
          <option key={text(row, "name")} value={findBasePath(text(row, "surface")) + text(row, "path")}>
            {text(row, "summary")}
          </option>
        ))}
    </datalist>
  );
}

function findBasePath(api: string): string {
  return Object.values(apis).find(({ name }) => name === api)?.basePath ?? "";
}
