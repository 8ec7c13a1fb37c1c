/** The settings of instances, between their clients, their rows and their machines. */
import { expect, test } from 'vitest'
import {
  columnsOf,
  isResize,
  machineSettings,
  settingsOf,
} from '../src/resources/compute/instances/settings.ts'

const chosen = {
  hostname: 'web-1',
  ncpus: 2,
  memory: 2 ** 31,
  cpu_platform: 'amd_turin' as const,
  auto_restart_policy: null,
  enable_jumbo_frames: true,
}
const row = columnsOf(chosen)

test('clients read back what they have chosen', () => {
  expect(row).toEqual({ ...chosen, enable_jumbo_frames: 1 })
  expect(settingsOf(row)).toEqual(chosen)
})

test('an update without the settings that stay changes the others alone', () => {
  const { hostname: _, ...update } = chosen
  const changed = columnsOf({ ...update, enable_jumbo_frames: false })
  expect(changed).toEqual({ ...update, enable_jumbo_frames: 0 })
  expect(isResize(row, changed)).toBe(false)
})

test.each([{ ncpus: 3 }, { memory: 2 ** 32 }, { cpu_platform: null }])(
  'a change of %o needs an instance without a machine',
  (change) => {
    const { hostname: _, ...update } = { ...chosen, ...change }
    expect(isResize(row, columnsOf(update))).toBe(true)
  },
)

test('the machine has the size, the name, and the packets of jumbo frames', () => {
  const { hostname, ncpus, memory } = chosen
  expect(machineSettings(row)).toEqual({ hostname, ncpus, memory, mtu: 8500 })
  const plain = columnsOf({ ...chosen, enable_jumbo_frames: false })
  expect(machineSettings(plain)).toEqual({ hostname, ncpus, memory })
})
