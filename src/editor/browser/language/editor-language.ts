/**
 * Returns the editor's language as Node-RED chooses it: the language of the user's settings, otherwise the
 * language of the browser. Returns undefined if neither is a valid language tag.
 */
export function editorLanguage(): string | undefined {
  return (
    canonical(localStorage.getItem('editor-language') ?? navigator.language) ?? canonical(navigator.language)
  );
}

function canonical(language: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(language)[0];
  } catch {
    return undefined;
  }
}
