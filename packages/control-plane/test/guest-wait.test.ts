/** The time for which an instance waits for its guest. */
import { guestWaitText } from '@steading/api/rules'
import { expect, test } from 'vitest'
import { guestWait } from '../src/resources/compute/instances/failure.ts'

const patience = { stopMs: 60_000, rebootMs: 120_000 }

test.each([
  ['rebooting', patience, 120],
  ['stopping', patience, 60],
  ['running', patience, null],
  ['rebooting', undefined, null],
] as const)('an instance that is %s waits', (run_state, by, seconds) => {
  expect(guestWait({ run_state }, by)).toBe(seconds)
})

test('the page of an instance says how its machine is ended after that time', () => {
  expect(guestWaitText('rebooting', 120)).toContain('after 120 seconds, the machine is reset')
  expect(guestWaitText('stopping', 60)).toContain('after 60 seconds, the machine is ended')
})
