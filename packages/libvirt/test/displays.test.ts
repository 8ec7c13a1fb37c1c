/** Screenshots of a machine for many viewers. */
import { expect, test } from 'vitest'
import { createDisplays } from '../src/displays.ts'
import type { Host } from '../src/hosts/host-set.ts'
import type { MachineRow } from '../src/rows.ts'

test('requests that come while a screenshot is taken share the picture', async () => {
  let asked = 0
  let taken = 0
  const everybody = Promise.withResolvers<void>()
  const load = async () => {
    if (++asked === 20) everybody.resolve()
    return { host: 'here', phase: 'running', wanted: 'run' } as unknown as MachineRow
  }
  const screenshot = async () => {
    taken++
    await everybody.promise
    return { type: 'image/png', data: new Uint8Array([taken]) }
  }
  const host = { libvirt: { screenshot } } as unknown as Host
  const displays = createDisplays({ load }, { has: () => true, of: async () => host })
  const ask = () => displays.screenshot('machine')
  const pictures = await Promise.all(Array.from({ length: 20 }, ask))
  expect(new Set(pictures).size).toBe(1)
  // A later request takes a new picture.
  expect(await ask()).toEqual(new Uint8Array([2]))
})
