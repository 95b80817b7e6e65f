/** A shorter key is a word, or a part of some: a text that contains it says nothing. */
const shortestKey = 8;

/** Returns a test of whether a text contains one of these keys, as a URL or a JSON text writes it, too. */
export function createKeyTest(keys: readonly string[]): (text: string) => boolean {
  const forms = new Set(
    keys
      .filter((key) => key.length >= shortestKey)
      .flatMap((key) => [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)]),
  );
  return (text) => [...forms].some((form) => text.includes(form));
}
