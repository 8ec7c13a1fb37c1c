import {
  autoRestartIsDue,
  type DiskAction,
  diskActions,
  diskCan,
  diskCannot,
  diskCannotSnapshot,
  diskIsTransitioning,
  diskSizeFieldProblem,
  diskStates,
  GiB,
  type InstanceAction,
  instanceActions,
  instanceCan,
  instanceCannot,
  instanceHasVm,
  instanceIsTransitioning,
  instanceOutcome,
  instanceRefusal,
  type InstanceState,
  instanceStates,
  instanceStops,
  jobStepEnds,
  snapshotCanDelete,
  snapshotStates,
  fittingDiskSize,
  suggestedDiskSize,
} from '@steading/api/rules'
import { describe, expect, test } from 'vitest'

/** The tables of the user specification, section 4, verbatim. */
const instanceTable: Record<InstanceAction, string> = {
  start: 'stopped, failed',
  delete: 'stopped, failed',
  resize: 'stopped, failed, creating',
  updateBootDisk: 'stopped, failed, creating',
  reboot: 'running',
  stop: 'running, starting, rebooting, failed',
  move: 'running',
  detachDisk: 'creating, stopped, failed',
  attachDisk: 'creating, stopped',
  rollBack: 'stopped, failed',
  moveDisk: 'running, stopped, failed',
  updateNic: 'stopped',
  deleteNic: 'stopped, failed',
  serialConsole: 'running, rebooting, migrating, repairing',
  display: 'running, rebooting, migrating, repairing',
  addToAffinityGroup: 'stopped',
}
const diskTable: Record<DiskAction, string> = {
  delete: 'detached, faulted',
  snapshot: 'attached, detached',
  attach: 'creating, detached',
  detach: 'attached',
  setAsBootDisk: 'attached',
  grow: 'attached, detached',
}

describe('instances', () => {
  test('have the states of the specification', () => {
    expect([...instanceStates].sort()).toEqual(
      'creating, starting, running, rebooting, stopping, stopped, repairing, migrating, failed, destroyed'
        .split(', ')
        .sort(),
    )
    expect(Object.keys(instanceActions).sort()).toEqual(Object.keys(instanceTable).sort())
  })

  test.each(Object.entries(instanceTable) as [InstanceAction, string][])(
    '%s is possible in %s',
    (action, states) => {
      const allowed = instanceStates.filter((state) => instanceCan(action, state))
      expect(allowed.toSorted()).toEqual(states.split(', ').sort())
      for (const state of instanceStates) {
        const reason = allowed.includes(state) ? undefined : instanceActions[action].otherwise
        expect(instanceCannot(action, state)).toBe(reason)
      }
    },
  )

  /** Control plane 6.1: the result of each request, or the refusal. */
  test.each([
    ['start', 'stopped, failed', 'starting'],
    ['start', 'starting, running, rebooting, migrating', 'already'],
    ['start', 'stopping', '409 instance must finish stopping before it can be started'],
    [
      'start',
      'creating, repairing, destroyed',
      '409 instance is in state {s} but it must be stopped to be started',
    ],
    ['stop', 'starting, running, rebooting, migrating', 'stopping'],
    ['stop', 'failed', 'stopped'],
    ['stop', 'stopping, stopped', 'already'],
    ['stop', 'creating', '400 cannot change instance state while it is still being created'],
    ['stop', 'repairing', '400 instance state cannot be changed from state "{s}"'],
    ['stop', 'destroyed', '400 instance state cannot be changed from {s}'],
    ['reboot', 'running', 'rebooting'],
    ['reboot', 'starting, rebooting', 'already'],
    ['reboot', 'stopped', '400 cannot reboot an instance in state {s} with no VMM'],
    ['reboot', 'creating', '400 cannot change instance state while it is still being created'],
    ['reboot', 'failed, destroyed', '400 instance state cannot be changed from {s}'],
    ['reboot', 'stopping, migrating, repairing', '400 cannot reboot instance in state "{s}"'],
  ] as const)('asked to %s when %s: %s', (action, states, expected) => {
    for (const state of states.split(', ') as InstanceState[]) {
      const outcome = instanceOutcome(action, state)
      const found =
        outcome === 'already'
          ? outcome
          : 'to' in outcome
            ? outcome.to
            : `${outcome.refusal.status} ${outcome.refusal.message}`
      expect(found).toBe(expected.replace('{s}', state))
    }
  })

  test('offer only actions that the API permits', () => {
    for (const action of ['start', 'stop', 'reboot'] as const) {
      for (const state of instanceStates.filter((each) => instanceCan(action, each))) {
        expect(instanceOutcome(action, state)).toHaveProperty('to')
      }
    }
  })

  test('are refused by their machine before their state', () => {
    expect(instanceRefusal('delete', 'stopped')).toBeUndefined()
    expect(instanceRefusal('delete', 'stopped', true)?.message).toBe(
      'cannot delete instance: instance is running or has not yet fully stopped',
    )
    expect(instanceRefusal('delete', 'creating')?.message).toBe(
      'instance cannot be deleted in state "creating"',
    )
    expect(instanceRefusal('serialConsole', 'running')).toBeUndefined()
    expect(instanceRefusal('serialConsole', 'running', false)?.message).toBe(
      'instance is running and has no active serial console server',
    )
    expect(instanceRefusal('serialConsole', 'starting')?.message).toBe(
      'cannot connect to serial console of instance in state "starting"',
    )
    for (const action of ['attachDisk', 'detachDisk', 'updateNic', 'deleteNic'] as const) {
      for (const state of instanceStates) {
        expect(instanceRefusal(action, state) === undefined).toBe(instanceCan(action, state))
      }
    }
  })

  test('come to rest after a stop request, if they are running', () => {
    expect(instanceStates.filter(instanceStops).toSorted()).toEqual([
      'migrating',
      'rebooting',
      'running',
      'starting',
      'stopping',
    ])
  })

  test('are transitional in states that they leave without a request', () => {
    expect(instanceStates.filter(instanceIsTransitioning).toSorted()).toEqual([
      'creating',
      'migrating',
      'rebooting',
      'starting',
      'stopping',
    ])
  })

  test('have no virtual machine before the first start, at rest, and after failing', () => {
    expect(instanceStates.filter((state) => !instanceHasVm(state)).toSorted()).toEqual([
      'creating',
      'destroyed',
      'failed',
      'stopped',
    ])
  })

  test('are restarted if enabled and past the cooldown', () => {
    const now = new Date('2030-01-01T00:00:00Z')
    expect(autoRestartIsDue(true, null, now)).toBe(true)
    expect(autoRestartIsDue(true, undefined, now)).toBe(true)
    expect(autoRestartIsDue(true, new Date(now.getTime() - 1), now)).toBe(true)
    expect(autoRestartIsDue(true, new Date(now.getTime() + 1), now)).toBe(false)
    expect(autoRestartIsDue(false, null, now)).toBe(false)
  })
})

describe('disks', () => {
  test('have the states of the specification', () => {
    expect([...diskStates].sort()).toEqual(
      'attached, attaching, creating, detaching, detached, destroyed, faulted, maintenance, import_ready, importing_from_url, importing_from_bulk_writes, finalizing'
        .split(', ')
        .sort(),
    )
    expect(Object.keys(diskActions).sort()).toEqual(Object.keys(diskTable).sort())
  })

  test.each(Object.entries(diskTable) as [DiskAction, string][])(
    '%s is possible in %s',
    (action, states) => {
      const allowed = diskStates.filter((state) => diskCan(action, state))
      expect(allowed.toSorted()).toEqual(states.split(', ').sort())
      for (const state of diskStates) {
        expect(diskCannot(action, state) === undefined).toBe(allowed.includes(state))
      }
    },
  )

  test('explain why they cannot be deleted or copied', () => {
    expect(diskCannot('delete', 'attached')).toBe('Disk must be detached before it can be deleted')
    expect(diskCannotSnapshot('detached', 'distributed', false)).toBeUndefined()
    expect(diskCannotSnapshot('detached', 'distributed', true)).toMatch(/Read-only/)
    expect(diskCannotSnapshot('detached', 'local', false)).toMatch(/Local/)
    expect(diskCannotSnapshot('faulted', 'local', false)).toMatch(/state/)
  })

  test('are transitional in states that they leave without a request', () => {
    expect(diskStates.filter(diskIsTransitioning).toSorted()).toEqual([
      'attaching',
      'creating',
      'detaching',
      'finalizing',
      'maintenance',
    ])
  })

  test.each([
    [1, 10],
    [10 * GiB, 10],
    [10 * GiB + 1, 20],
    [1019 * GiB, 1020],
    [1023 * GiB, 1023],
  ])('of a source of %d bytes are offered with %d GiB', (source, gib) => {
    expect(suggestedDiskSize(source)).toBe(gib)
  })

  test.each([
    [10, GiB, 10],
    [3, 3 * GiB, 3],
    [3, 3 * GiB + 1, 10],
    [25, 21 * GiB, 25],
    [Number.NaN, GiB, 10],
  ])('and with %d GiB before, of a source of %d bytes with %d', (before, source, gib) => {
    expect(fittingDiskSize(before, source)).toBe(gib)
  })

  test.each([
    [1, undefined],
    [1023, undefined],
    [0, 'Must be at least 1 GiB'],
    [Number.NaN, 'Must be at least 1 GiB'],
    [1024, 'Can be at most 1023 GiB'],
  ])('of %d GiB: %s', (gib, problem) => {
    expect(diskSizeFieldProblem(gib)).toBe(problem)
  })
})

test('steps of jobs handle every state of their things', () => {
  expect(jobStepEnds).toEqual({
    start: { underway: ['starting'], desired: ['running', 'rebooting', 'migrating'] },
    stop: { underway: ['stopping'], desired: ['stopped', 'destroyed'] },
    reboot: { underway: ['starting', 'rebooting'], desired: ['running'] },
    snapshot: { underway: ['creating'], desired: ['ready'] },
    finalize: { underway: ['finalizing'], desired: ['detached'] },
  })
})

test('snapshots can be deleted once they are ready or faulted', () => {
  expect([...snapshotStates].sort()).toEqual(['creating', 'destroyed', 'faulted', 'ready'])
  expect(snapshotStates.filter(snapshotCanDelete).toSorted()).toEqual(['faulted', 'ready'])
})
