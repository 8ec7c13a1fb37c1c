import { setTimeout as pause } from 'node:timers/promises'
import type { PowerSwitch } from '@steading/control-plane/ports'
import type { PowerClient } from './client.ts'

const ASK_AGAIN_MS = 1_000
/** Questions for the power state after it was switched off. */
const QUESTIONS = 20

/** Switches off with a client that does not wait until the power is off. */
export async function untilOff(
  power: PowerClient['power'],
  at: PowerSwitch,
  off: () => Promise<unknown>,
): Promise<void> {
  // Some refuse to switch off what is off.
  if ((await power(at)) === 'off') return
  await off()
  const until = performance.now() + QUESTIONS * ASK_AGAIN_MS
  while ((await power(at)) !== 'off' && performance.now() < until) await pause(ASK_AGAIN_MS)
}
