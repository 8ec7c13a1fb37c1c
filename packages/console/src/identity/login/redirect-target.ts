/** Target of the redirect after signing in: a path of this origin, nothing else. */
export function redirectTarget(redirectUri: string | undefined): string {
  const fallback = '/projects'
  if (!redirectUri?.startsWith('/')) return fallback
  // Browsers treat `//host` and `/\host` as other origins; the parser recognizes all such
  // spellings.
  const base = 'http://origin.invalid'
  try {
    const url = new URL(redirectUri, base)
    return url.origin === base ? url.pathname + url.search + url.hash : fallback
  } catch {
    return fallback
  }
}
