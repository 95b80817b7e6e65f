/**
 * Tests of the whole project: the package, the checklist for a new resource, programs in the documents, the OpenAPI
 * documents, the number of functions per row, and processes of the built command, some of them killed. They start
 * many processes, so only `npm run test:checks` and CI run them.
 */
export const checks = [
  "test/acceptance/built.test.ts",
  "test/acceptance/built-import.test.ts",
  "test/acceptance/emulator-exec.test.ts",
  "test/acceptance/emulator-processes.test.ts",
  "test/acceptance/emulator-ui.test.ts",
  "test/acceptance/fleet.test.ts",
  "test/acceptance/fleet-plans.test.ts",
  "test/acceptance/group-locks.test.ts",
  "test/acceptance/killed.test.ts",
  "test/acceptance/rehearsed-keys.test.ts",
  "test/acceptance/script.test.ts",
  "test/acceptance/shared-limit.test.ts",
  "test/acceptance/sync-kills.test.ts",
  "test/cli/recordings-on-the-wire.test.ts",
  "test/emulator/killed-server.test.ts",
  "test/emulator/sharing.test.ts",
  "test/conformance/killed-in-flight.test.ts",
  "test/conformance/silence.test.ts",
  "test/project/package.test.ts",
  "test/openapi/distributor-documents.test.ts",
  "test/openapi/document.test.ts",
  "test/project/adding-a-resource.test.ts",
  "test/project/readme.test.ts",
  "test/project/walk.test.ts",
  "test/webhook/attach-killed.test.ts",
  "test/docs/library-examples.test.ts",
  "test/docs/webhook-hour.test.ts",
];
