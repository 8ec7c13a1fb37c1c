/** Key of the local storage: whether the control plane here was last seen to have our extensions. */
export const KNOWN_EXTENSIONS = 'has-extensions'

/** Lets the script in the head ask for what this control plane has, at the next visit. */
export function rememberExtensions(has: boolean): void {
  try {
    localStorage.setItem(KNOWN_EXTENSIONS, String(has))
  } catch {
    // Without storage, only the reads that every control plane has are sent early.
  }
}
