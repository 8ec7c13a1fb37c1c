/** Place of the visitor in the tour, kept in the browser: the number of a step, or the end. */
const KEY = 'demo-tour'
const LEFT = 'left'

/** @returns undefined if the visitor has left the tour */
export function rememberedStep(storage: Pick<Storage, 'getItem'>): number | undefined {
  const stored = storage.getItem(KEY)
  if (stored === LEFT) return undefined
  const step = Number(stored ?? 0)
  return Number.isInteger(step) && step >= 0 ? step : 0
}

export const rememberStep = (storage: Pick<Storage, 'setItem'>, step: number | undefined): void =>
  storage.setItem(KEY, step === undefined ? LEFT : String(step))
