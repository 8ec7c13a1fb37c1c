/** A simulated guest for tests: keys in, a screen out. */
import { expect, test } from 'vitest'
import { screenLine } from '../../src/os/screen-line.ts'
import type { GuestNetwork } from '../../src/os/network.ts'
import { Shell } from '../../src/os/shell.ts'
import type { MachineSpec } from '../../../control-plane/src/kernel/ports/machines.ts'
import { fullSpec } from '../../../control-plane/test/conformance/engines.ts'

export const encoder = new TextEncoder()
export const decoder = new TextDecoder()
export const spec = fullSpec({ id: 'sled', serial: 'BRM-0001' })
export const BOOTED = Date.UTC(2026, 10, 22, 9, 0, 0)
const HOUR = 3_600_000

interface Options {
  spec?: MachineSpec
  now?: number
}

export const noNetwork: GuestNetwork = {
  reach: async () => ({ result: 'no network' }),
  groups: async () => [],
  listen: async () => undefined,
}

/** A machine that booted two hours ago, with its shell. */
export function startGuest({ spec: made = spec, now = BOOTED + 2 * HOUR }: Options = {}) {
  const shell = new Shell(made, { now: () => now, upSince: () => BOOTED }, noNetwork)
  let output = `${made.hostname}:~# `
  /** Presses keys, and waits for the running program. */
  const type = (keys: string): string => {
    let shown = decoder.decode(shell.type(encoder.encode(keys)))
    while (shell.busy) shown += decoder.decode(shell.run())
    output += shown
    return shown
  }
  return {
    shell,
    type,
    /** Output of a line, without its echo and the following prompt. */
    answer(line: string): string {
      const shown = type(`${line}\r`)
      expect(shown.startsWith(`${line}\r\n`)).toBe(true)
      return shown
        .slice(line.length + 2)
        .replaceAll('\r\n', '\n')
        .replace(/guest:[~/][^#]*# $/, '')
    },
    output: () => output,
    /** The last line on the screen, with a bar at the cursor. */
    line(): string {
      const { text, back } = screenLine(output.split('\n').at(-1)!)
      const chars = [...text]
      chars.splice(chars.length - back, 0, '|')
      return chars.join('')
    },
  }
}

/** Lines, each with its output in a new machine, or a pattern of it. */
export const expectAnswers = (answers: [line: string, answer: string | RegExp][]): void =>
  test.each(answers)('%s', (line, answer) => {
    const printed = startGuest().answer(line)
    if (typeof answer === 'string') expect(printed).toBe(answer)
    else expect(printed).toMatch(answer)
  })
