/** Key of the local storage: the newest control plane here has none of our extensions. */
export const PLAIN_CONTROL_PLANE = 'plain-control-plane'

/** Lets the script in the head ask for what this control plane has, at the next visit. */
export function rememberPlain(isPlain: boolean): void {
  try {
    if (isPlain) localStorage.setItem(PLAIN_CONTROL_PLANE, '')
    else localStorage.removeItem(PLAIN_CONTROL_PLANE)
  } catch {
    // Without storage, the next visit asks for the extensions first.
  }
}
