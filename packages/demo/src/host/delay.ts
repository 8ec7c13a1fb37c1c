/** Simulated latency of a distant control plane in milliseconds. */
const LATENCY = { least: 200, most: 400 }

export const latency = (): number => LATENCY.least + Math.random() * (LATENCY.most - LATENCY.least)

/** @throws the signal's reason, if it aborts first */
export function delay(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const giveUp = () => {
      clearTimeout(timer)
      reject(signal!.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', giveUp)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', giveUp, { once: true })
  })
}
