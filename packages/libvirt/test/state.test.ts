/** The phases of machines, from the states of their domains. */
import { expect, test } from 'vitest'
import type { DomainStatus } from '../src/native/libvirt.ts'
import type { MachineRow } from '../src/rows.ts'
import { advance, failures, hasLasted } from '../src/state.ts'

const row = (changes: Partial<MachineRow>): MachineRow => ({
  id: 'machine',
  host: 'HOST',
  spec: '{}',
  phase: 'running',
  wanted: 'run',
  since: 0,
  started_at: 0,
  boot: 0,
  boot_offset: 0,
  log_file: null,
  log_start: 0,
  reboots: 0,
  failure: null,
  destination: null,
  move_failure: null,
  pause: null,
  firmware: null,
  nothing_to_boot: 0,
  thaw: 0,
  lease: null,
  lease_version: null,
  version: 0,
  ...changes,
})
const status = (state: DomainStatus['state'], reason: DomainStatus['reason'] = 'unknown') => ({
  state,
  reason,
  diskError: false,
})
const off = (reason: DomainStatus['reason']) => status('shutoff', reason)

test.each<
  [string, Partial<MachineRow>, DomainStatus | undefined, string | undefined, string | null]
>([
  ['a domain runs', { phase: 'booting' }, status('running'), 'running', null],
  ['a domain runs on', {}, status('running'), undefined, null],
  [
    'a domain waits for room on its disk',
    {},
    { ...status('paused'), diskError: true },
    undefined,
    null,
  ],
  ['a guest shuts down', {}, status('shutdown'), 'stopping', null],
  ['a guest shuts down to reboot', { phase: 'rebooting' }, status('shutdown'), undefined, null],
  ['a guest has powered off', {}, off('shutdown'), 'stopped', null],
  ['QEMU has crashed', {}, off('crashed'), 'failed', failures.ended],
  ['somebody has ended it', {}, off('destroyed'), 'failed', failures.outside],
  ['the stop was forced', { phase: 'stopping', wanted: 'stop' }, off('destroyed'), 'stopped', null],
  ['the host was restarted', {}, off('unknown'), 'failed', failures.lost],
  ['the domain is gone', {}, undefined, 'failed', failures.lost],
  ['the domain is gone while stopping', { wanted: 'stop' }, undefined, 'stopped', null],
  [
    'the domain has not been started',
    { phase: 'booting', started_at: null },
    off('unknown'),
    undefined,
    null,
  ],
  ['a machine at rest stays so', { phase: 'stopped' }, status('running'), undefined, null],
])('%s', (_, changes, seen, phase, failure) => {
  const next = advance(row(changes), seen, 7)
  expect(next).toEqual(phase && { phase, since: 7, failure, pause: null })
})

test('a machine is paused, and continues', () => {
  const waiting = { ...status('paused'), diskError: true }
  const paused = advance(row({}), waiting, 7, 'no_space')
  expect(paused).toEqual({ phase: 'running', since: 0, failure: null, pause: 'no_space' })
  expect(advance(row(paused!), waiting, 8, 'no_space')).toBeUndefined()
  expect(advance(row(paused!), status('running'), 9)).toMatchObject({ pause: null })
  expect(advance(row(paused!), off('crashed'), 9)).toMatchObject({ phase: 'failed', pause: null })
})

test.each([
  ['before its time', 59_999, false],
  ['at its time', 60_000, true],
  ['after its time', 90_000, true],
  ['with a clock set back a little', -5_000, false],
  ['with a clock set back far', -3_600_000, true],
])('a phase ends %s', (_, passed, ended) => {
  const since = 1_700_000_000_000
  expect(hasLasted({ since }, 60_000, since + passed)).toBe(ended)
})
