import type { JSHandle, Page } from '@playwright/test'
import type { Host } from './host.ts'

/** Records the states of a row in the list of instances from now on. */
export async function watchStates(page: Page, name: string): Promise<() => Promise<string[]>> {
  const handle: JSHandle<string[]> = await page.evaluateHandle((wanted) => {
    const seen: string[] = []
    const look = () => {
      const row = [...document.querySelectorAll('tr')].find(({ cells }) =>
        [...cells].some((cell) => cell.textContent === wanted),
      )
      const named = [...(row?.cells ?? [])].find(({ textContent }) => textContent === wanted)
      const badge = named?.nextElementSibling?.querySelector('.rounded-full')
      const state = badge?.textContent
      if (state && state !== seen.at(-1)) seen.push(state)
    }
    look()
    new MutationObserver(look).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    })
    return seen
  }, name)
  return () => handle.jsonValue()
}

type Action = 'run' | 'stop' | 'reboot'

/**
 * Holds machines in the transitional state of an action, however busy this computer is.
 * @returns function that releases them
 */
export function hold({ server }: Host, held: Action): () => void {
  const { faults } = server.controlPlane.engines
  faults.inject((action) => {
    if (action === held) throw new Error('held back by the test')
  })
  return () => faults.inject()
}

/**
 * Holds starting machines in `starting`.
 * @returns function that releases them
 */
export const holdStarting = (host: Host): (() => void) => hold(host, 'run')
