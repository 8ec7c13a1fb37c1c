import { GiB } from '@steading/api/rules'
import { describe, expect, test } from 'vitest'
import { fleetShare } from '../src/tenancy/silos/fleet-share.ts'

const capacity = (cpus: number, memory: number, storage: number) => ({
  cpus: { limit: cpus },
  memory: { limit: memory },
  storage: { limit: storage },
})

describe('quotas of a new silo', () => {
  test('are a tenth of the fleet, in whole steps', () => {
    expect(fleetShare(capacity(519, 4099.5 * GiB, 42_666.6 * GiB))).toEqual({
      cpus: 51,
      memory: 409,
      storage: 4266,
    })
  })

  test('of a small fleet are at least 1', () => {
    expect(fleetShare(capacity(4, 7 * GiB, 9 * GiB))).toEqual({ cpus: 1, memory: 1, storage: 1 })
  })

  test('of a fleet without anything are 0', () => {
    expect(fleetShare(capacity(0, 0, GiB / 2))).toEqual({ cpus: 0, memory: 0, storage: 0 })
  })
})
