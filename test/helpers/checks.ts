/**
 * Files that check the project as a whole: the package as it is packed and installed, the checklist of a new resource, the
 * documents' programs, and the built command as many processes. They start the most processes of all;
 * `npm run test:checks` and CI run them, `npm test` does not.
 */
export const checks = [
  "test/acceptance/built-import.test.ts",
  "test/acceptance/emulator-exec.test.ts",
  "test/acceptance/script.test.ts",
  "test/acceptance/shared-limit.test.ts",
  "test/project/package.test.ts",
  "test/project/adding-a-resource.test.ts",
  "test/docs/library-examples.test.ts",
  "test/docs/webhook-hour.test.ts",
];
