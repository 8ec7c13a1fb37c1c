/** The bar of the document that shows how much of the demo has been loaded. */
const bar = (): HTMLElement | null => document.querySelector('#progress')

/** Files of the start that take longest: the code of the control plane, and its cloud. */
const PARTS = 2

/** Progress of the files that the demo starts with. */
export function createProgress() {
  /** Part → its share that has arrived, from 0 to 1. */
  const arrived = new Map<string, number>()
  return (part: string, share = 1): void => {
    arrived.set(part, share)
    const percent = Math.round(
      ([...arrived.values()].reduce((sum, one) => sum + one, 0) / PARTS) * 100,
    )
    const element = bar()
    element?.setAttribute('aria-valuenow', String(percent))
    element?.style.setProperty('--arrived', `${percent}%`)
  }
}

/** The demo has started, or shows why it cannot. */
export const hideProgress = (hidden: boolean): void => {
  bar()?.toggleAttribute('hidden', hidden)
}
