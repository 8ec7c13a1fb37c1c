const ask = globalThis.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 200))

let drawn = () => {}
const firstPaint = new Promise<void>((resolve) => {
  drawn = resolve
})

/** Called once the first page has been drawn. */
export const pageIsDrawn = (): void => drawn()

/** Resolves once the first page has been drawn and the browser is idle, or two seconds later. */
export const drawnAndIdle = async (): Promise<void> => {
  await firstPaint
  return new Promise((resolve) => ask(() => resolve(), { timeout: 2000 }))
}
