/**
 * The editor's language, as Node-RED finds it: what a person set, or the browser's. Undefined where the browser does
 * not know it.
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
