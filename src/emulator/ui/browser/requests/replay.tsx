import { useState } from "preact/hooks";
import type { Answer } from "../api.js";
import { useApp } from "../context.js";
import { indented } from "../format.js";
import { Box, Button, Field, Status } from "../parts/basics.js";
import { Rule } from "../parts/rule.js";
import { hrefOf } from "../route.js";
import { type Row, rowOf, rowsOf, text } from "../rows.js";
import { isMasked } from "./commands.js";

/** Sends a request of the log again, once, with the key of choice. */
export function Replay({ row }: { row: Row }) {
  const { api, control, attempt } = useApp();
  const method = text(row, "method");
  const logged = text(row, "request_body");
  const [path, setPath] = useState(text(row, "path"));
  const [body, setBody] = useState(indented(logged));
  const active = api.keys().filter(({ status }) => status === "active");
  const former = text(row, "key_id");
  const [keyId, setKeyId] = useState(
    active.some(({ id }) => id === former) ? former : (api.picked()?.id ?? ""),
  );
  const [answer, setAnswer] = useState<Answer | undefined>(undefined);
  const [newId, setNewId] = useState("");
  const kept = isMasked(logged) || path.includes("=***");

  const send = () =>
    attempt(async () => {
      setAnswer(undefined);
      const type = text(rowOf(row["request_headers"]), "content-type");
      const sent = await api.send(method, path, body === "" ? undefined : body, {
        keyId,
        ...(type === "" ? {} : { headers: { "Content-Type": type } }),
      });
      setAnswer(sent);
      setNewId(text(rowsOf(await control.get("/requests?limit=1&brief=true"))[0] ?? {}, "id"));
    });
  return (
    <form
      class="form panel"
      aria-label="Replay"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {kept ? (
        <p class="wrong wide">
          The log keeps no secrets and cuts what is long: put back what *** stands for before you send it.
        </p>
      ) : null}
      <Field label={`${method}, to`} wide>
        {(attributes) => (
          <input
            {...attributes}
            required
            value={path}
            onInput={(event) => setPath(event.currentTarget.value)}
          />
        )}
      </Field>
      <Field label="With the key">
        {(attributes) => (
          <select {...attributes} value={keyId} onChange={(event) => setKeyId(event.currentTarget.value)}>
            {active.map(({ id, name, kind }) => (
              <option key={id} value={id}>
                {name} ({kind})
              </option>
            ))}
          </select>
        )}
      </Field>
      {method === "GET" ? null : (
        <Field label="Body" wide>
          {(attributes) => (
            <textarea
              {...attributes}
              class="code"
              rows={Math.min(20, body.split("\n").length + 1)}
              spellcheck={false}
              value={body}
              onInput={(event) => setBody(event.currentTarget.value)}
            />
          )}
        </Field>
      )}
      <div class="buttons wide">
        <Button kind="main" act={send}>
          Send it once
        </Button>
        {newId === "" ? null : <a href={hrefOf("requests", [newId])}>The new request</a>}
      </div>
      {answer ? (
        <section class="wide" aria-label="Answer to the replay" aria-live="polite">
          <p>
            Answered <Status status={answer.status} /> {answer.code}
          </p>
          <Rule id={answer.rule} />
          <Box label="Body of the answer">
            {typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body, null, 2)}
          </Box>
        </section>
      ) : null}
    </form>
  );
}
