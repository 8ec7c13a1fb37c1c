/** Redfish by the real `fence_redfish`, with a service of this test. */
import { spawnSync } from 'node:child_process'
import type { PowerSwitch } from '@steading/control-plane/ports'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fencingConforms } from '../../control-plane/test/conformance/fencing.ts'
import { powerSwitches } from '../src/index.ts'
import { settings } from '../src/redfish.ts'
import { REDFISH_SYSTEM, type RedfishService, startRedfish } from './support/redfish-service.ts'

const isMissing = spawnSync('fence_redfish', ['--version']).error !== undefined
if (isMissing) console.warn('The tests with fence_redfish are left out: it is not installed.')

/** With everything that could get lost in the settings of an agent. */
const password = ' "a=b" #\'$HOME\\ '
const at: PowerSwitch = {
  method: 'redfish',
  address: 'localhost',
  port: 443,
  user: 'operator',
  password,
  system: null,
  verifyCertificate: false,
}

describe.skipIf(isMissing)('fence_redfish', () => {
  let on = true
  let service: RedfishService
  beforeAll(async () => {
    const machine = { isOn: () => on, off: () => void (on = false) }
    service = await startRedfish(machine, { user: 'operator', password })
  })
  afterAll(() => service.close())
  const here = (values: Partial<PowerSwitch> = {}): PowerSwitch => ({
    ...at,
    port: service.port,
    ...values,
  })

  describe('conforms @long', () => {
    fencingConforms(() => ({
      fencing: powerSwitches,
      at: here(),
      isOn: () => on,
      switchOn: () => void (on = true),
      nowhere: here({ port: 9 }),
      refused: here({ password: 'not-that-password' }),
    }))
  })

  test('asks the system that is named', async () => {
    service.calls.length = 0
    expect(await powerSwitches.power(here({ system: REDFISH_SYSTEM }))).toBe('on')
    expect(service.calls).toEqual([`GET ${REDFISH_SYSTEM}`])
  })

  test('says in words what the controller refuses', async () => {
    await expect(powerSwitches.power(here({ password: 'wrong' }))).rejects.toMatchObject({
      message: 'localhost does not accept the user and the password',
      remedy: 'Check both, and that the user may see the systems of the controller',
    })
    const other = here({ system: '/redfish/v1/Systems/none' })
    await expect(powerSwitches.power(other)).rejects.toMatchObject({
      message: 'localhost does not say the power state of the system',
      remedy: 'Check the path of the system, the user and the password',
    })
  })

  test('a certificate that is not trusted is refused, unless nobody cares @long', async () => {
    const asked = powerSwitches.power(here({ verifyCertificate: true }))
    await expect(asked).rejects.toThrow('the certificate of localhost is not trusted')
    expect(await powerSwitches.power(here())).toBe('on')
  })
})

test('the certificate counts unless it is said otherwise', () => {
  expect(settings('status', { ...at, verifyCertificate: true })).not.toContain('insecure')
  expect(settings('status', at)).toContain('ssl_insecure="1"\n')
})

test('addresses of IPv6 are in brackets', () => {
  expect(settings('status', { ...at, address: 'fd00::1' })).toContain('ip="[fd00::1]"\n')
})
