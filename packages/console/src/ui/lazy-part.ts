import { lazy } from 'react'
import { sendingStopped } from './server-state.ts'

const ATTEMPTS = 5
const FIRST_PAUSE = 500

/** Resolves after this many milliseconds, but not before requests can be sent again. */
const pause = (milliseconds: number) =>
  new Promise<void>((resolve) => {
    setTimeout(() => {
      if (!sendingStopped.get()) return resolve()
      const stop = sendingStopped.subscribe(() => {
        if (sendingStopped.get()) return
        stop()
        resolve()
      })
    }, milliseconds)
  })

/**
 * Loads a part of the program, with retries.
 * @throws if all attempts fail
 */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await load()
    } catch (error) {
      if (failures >= ATTEMPTS && !sendingStopped.get()) throw error
      await pause(FIRST_PAUSE * 2 ** Math.min(failures - 1, ATTEMPTS))
    }
  }
}

/**
 * React's `lazy` with retries for parts of pages, whose placeholder stays meanwhile. Plain
 * `lazy` would break the page for good.
 */
export const lazyPart: typeof lazy = (load) => lazy(() => loadPart(load))

const ask = globalThis.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 200))

let drawn = () => {}
const firstPaint = new Promise<void>((resolve) => {
  drawn = resolve
})

/** Called once the first page has been drawn. */
export const pageIsDrawn = (): void => drawn()

/** Resolves once the first page has been drawn and the browser is idle, or two seconds later. */
export const whenDrawnAndIdle = async (): Promise<void> => {
  await firstPaint
  return new Promise((resolve) => ask(() => resolve(), { timeout: 2000 }))
}
