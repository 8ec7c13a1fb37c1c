/**
 * Oldest browsers of the console, the demo and the gallery, as `docs/pages/running.md` says: the
 * first with `Promise.withResolvers` and `AbortSignal.any`, and Tailwind's oldest Firefox.
 */
export const browserTargets = { target: ['chrome119', 'safari17.4', 'firefox128'] }
