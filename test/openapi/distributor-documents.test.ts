import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { apis } from "../../src/contract/apis.js";
import { operations } from "../../src/contract/contract.js";
import { errorCodes } from "../../src/contract/errors.js";
import { createOpenApiDocument } from "../../src/openapi/document.js";
import { renderPage } from "../../src/openapi/page/page.js";

// biome-ignore lint/suspicious/noExplicitAny: the documents are looked into as a stranger would
type Any = any;

describe.each(["distributor-v1", "distributor-v2", "legacy"] as const)(
  "the OpenAPI document of %s",
  (api) => {
    const made = createOpenApiDocument(operations, api, apis[api].basePath || "/");
    const document: Any = JSON.parse(JSON.stringify(made));
    const published = Object.entries(operations).filter(([, operation]) => operation.api === api);
    const described = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
      Object.entries<Any>(methods).map(([method, object]) => ({ path, method, object })),
    );
    const resolved = (value: Any): Any =>
      typeof value?.$ref === "string"
        ? value.$ref
            .slice(2)
            .split("/")
            .reduce((at: Any, part: string) => at[part], document)
        : value;
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    formats.default(ajv);
    ajv.addSchema({ $id: "document", components: document.components });
    const problems = (schema: object, value: unknown) => {
      const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')));
      validate(value);
      return validate.errors ?? [];
    };
    const contents = described.flatMap(({ object }) =>
      [object.requestBody, ...Object.values(object.responses).map(resolved)].flatMap((message) => {
        const content = message?.content?.["application/json"];
        return content?.examples === undefined ? [] : [{ name: object.operationId, ...content }];
      }),
    );

    it("the OpenAPI document is valid OpenAPI 3.1 and has a web page", async () => {
      expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true });
      const page = renderPage(made, api);
      for (const [name] of published) expect(page).toContain(`id="${name}"`);
    });

    it("the OpenAPI document describes every operation once, at its path and method", () => {
      const shown = described
        .filter(({ object }) => object.operationId in operations)
        .map(({ path, method, object }) => `${object.operationId} ${method} ${path}`);
      const expected = published.map(([name, { method, path }]) => `${name} ${method.toLowerCase()} ${path}`);
      expect(shown.sort()).toEqual(expected.sort());
      for (const { object } of described) {
        const isKeyless = operations[object.operationId]?.keyless ?? !(object.operationId in operations);
        expect([object.operationId, object.security]).toEqual([
          object.operationId,
          isKeyless ? [] : undefined,
        ]);
      }
    });

    it("every JSON request and response has a valid example", () => {
      for (const { object } of described.filter(({ object }) => object.operationId in operations)) {
        for (const message of [object.requestBody, ...Object.values(object.responses).map(resolved)]) {
          const content = message?.content?.["application/json"];
          if (content)
            expect([object.operationId, Object.keys(content.examples ?? {})]).not.toContainEqual([]);
        }
        for (const { name, required, example } of object.parameters ?? [])
          if (required) expect([name, example]).not.toContain(undefined);
      }
      for (const { name, schema, examples } of contents)
        for (const { value } of Object.values<{ value: unknown }>(examples))
          expect([name, problems(schema, value)]).toEqual([name, []]);
      for (const [name, { body }] of published) {
        const example = contents.find((content) => content.name === name)?.examples.example?.value;
        if (body) expect([name, z.safeParse(body, example).error]).toEqual([name, undefined]);
      }
    });

    it("the example of a response shows each of its fields", () => {
      for (const [name, { response, responseShape: responseType, success }] of published) {
        if (!response || responseType === "empty") continue;
        const { object } = described.find((description) => description.object.operationId === name) ?? {};
        const { schema, examples } = object.responses[success].content["application/json"];
        const data = responseType === "bare" ? resolved(schema) : resolved(schema.properties.data);
        const item = resolved(data.items) ?? data;
        const value = responseType === "bare" ? examples.example.value : examples.example.value.data;
        const shown = Array.isArray(value) ? value[0] : value;
        expect([name, Object.keys(shown).sort()]).toEqual([name, Object.keys(item.properties).sort()]);
      }
    });

    it("every error code of the API has an example in the API's format", () => {
      const codeName = api === "legacy" ? "code" : "errorCode";
      const { properties } = document.components.schemas.Error;
      expect(properties[codeName].enum).toEqual(Object.keys(errorCodes[api]));
      const shown = Object.values<Any>(document.components.responses).flatMap((response) =>
        Object.values<Any>(response.content["application/json"].examples).map(({ value }) => value),
      );
      expect(shown.map((value) => value[codeName]).sort()).toEqual(Object.keys(errorCodes[api]).sort());
      for (const value of shown) expect([value, value.message]).not.toEqual([value, value[codeName]]);
    });
  },
);
