/** Key in local storage: whether the control plane had our extensions at the last visit. */
export const KNOWN_EXTENSIONS = 'has-extensions'

/** Lets the script in the head send reads of extensions at the next visit. */
export function rememberExtensions(has: boolean): void {
  try {
    localStorage.setItem(KNOWN_EXTENSIONS, String(has))
  } catch {
    // Without storage, only reads that every control plane supports are sent early.
  }
}
