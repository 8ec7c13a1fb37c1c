/** An operator acts on what the page of a sled says: it never calls instances lost that may run on. */
import { describe, expect, test } from 'vitest'
import { fencingHolds, leaseHoldMeanings, leaseHoldRemedies, sledTrouble } from '../src/rules.ts'

type Trouble = Parameters<typeof sledTrouble>[0]
type Host = NonNullable<Trouble['host']>

const host = (fencing: Partial<Host['fencing']>): Host => ({
  name: 'barn-1',
  fencing: {
    method: 'redfish',
    automatic: true,
    state: 'suspect',
    reason: null,
    remedy: null,
    leaseHold: null,
    ...fencing,
  },
})
const real = (fencing: Partial<Host['fencing']>, responding = false) =>
  sledTrouble({ responding, host: host(fencing), isSimulated: false, hasReplicas: false })

const LOST = /instances have failed/
const COUNTED = /count as running/

describe('the instances of', () => {
  test('a simulated sled have failed, and replicas are rebuilt', () => {
    const notice = sledTrouble({
      responding: false,
      host: null,
      isSimulated: true,
      hasReplicas: true,
    })
    expect(notice?.text).toMatch(LOST)
    expect(notice?.text).toContain('replicas of disks are rebuilt')
  })

  test('a real host that was not added count as running', () => {
    const notice = sledTrouble({
      responding: false,
      host: null,
      isSimulated: false,
      hasReplicas: false,
    })
    expect(notice?.text).toMatch(COUNTED)
    expect(notice?.text).not.toMatch(/have failed|replicas/)
  })

  test('an added host count as running until it is proven dead', () => {
    const notices = [
      // Its fencing has not begun.
      real({ state: 'idle' }),
      real({ reason: fencingHolds.noMethod }),
      real({}),
      real({ state: 'fencing' }),
      real({ state: 'fencing', reason: 'the controller is silent', remedy: 'Look at it' }),
      real({ state: 'fencing', method: 'leases', leaseHold: 'running_out' }),
      real({ state: 'fencing', method: 'leases', leaseHold: 'renewed' }),
      // An operator has asked for it while it answers.
      real({ state: 'fencing' }, true),
    ]
    for (const notice of notices) {
      expect(notice?.text).toMatch(COUNTED)
      expect(notice?.text).not.toMatch(LOST)
      expect(notice?.text).not.toContain('replica')
    }
  })

  test('a fenced host have failed, also when it answers again', () => {
    for (const responding of [false, true]) {
      for (const method of ['redfish', 'leases'] as const) {
        expect(real({ state: 'fenced', method }, responding)?.text).toMatch(LOST)
      }
    }
  })
})

test('the reason and the advice of the fencing are part of it', () => {
  expect(real({ reason: fencingHolds.noMethod })?.text).toContain(
    'It is not fenced: it has no fencing method.',
  )
  expect(real({})?.text).toContain('It is called again, and then fenced.')
  const failed = real({ state: 'fencing', reason: 'no route to host', remedy: 'Check its address' })
  expect(failed?.text).toContain('The last attempt failed: no route to host. It is tried again.')
  expect(failed?.text).toMatch(/ Check its address\.$/)
  const renewed = real({
    state: 'fencing',
    method: 'leases',
    reason: leaseHoldMeanings.renewed,
    remedy: leaseHoldRemedies.renewed,
    leaseHold: 'renewed',
  })
  expect(renewed).toEqual({
    title: 'The host is not proven dead',
    text: 'It renews the leases of its guests, so it runs on, out of reach of the server. Instances still on it count as running, and do not start elsewhere. Repair its network, or switch it off to start its instances elsewhere.',
  })
})

test('a sled that responds has none', () => {
  expect(real({ state: 'idle' }, true)).toBeUndefined()
  expect(real({ state: 'suspect' }, true)).toBeUndefined()
  const simulated = { host: null, isSimulated: true, hasReplicas: true }
  expect(sledTrouble({ responding: true, ...simulated })).toBeUndefined()
})
