const ask = window.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 200))

/** Does what the first paint does not need, once the page is idle, or after two seconds. */
export const whenIdle = (work: () => void): void => {
  ask(() => work(), { timeout: 2000 })
}

/** Resolves once the page is idle, or after two seconds. */
export const idle = (): Promise<void> => new Promise(whenIdle)
