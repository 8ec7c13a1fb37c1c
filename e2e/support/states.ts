import type { JSHandle, Page } from '@playwright/test'
import type { Host } from './host.ts'

/** The states a row of the list of instances has gone through, from now on. */
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
 * Machines that are to do something stay on their way to it until they are let go, however busy this
 * computer is. @returns lets them go
 */
export function hold({ server }: Host, held: Action): () => void {
  const { faults } = server.controlPlane.engines
  faults.inject((action) => {
    if (action === held) throw new Error('held back by the test')
  })
  return () => faults.inject()
}

/** Machines that are started stay in `starting`. @returns lets them go */
export const holdStarting = (host: Host): (() => void) => hold(host, 'run')
