/** Requirements of the control plane for implementations of the port to power switches. */
import { expect, test } from 'vitest'
import { type Fencing, type PowerSwitch, FencingFault } from '@steading/control-plane/ports'

export interface FencingUnderTest {
  fencing: Fencing
  /** The power switch of a machine. */
  at: PowerSwitch
  /** Whether that machine is on, as seen from outside. */
  isOn: () => boolean | Promise<boolean>
  /** Switches that machine on, as its operator does. */
  switchOn: () => unknown
  /** A power switch that does not exist. */
  nowhere: PowerSwitch
  /** The same switch as `at`, with credentials that it refuses; left out where there are none. */
  refused?: PowerSwitch
}

const faultOf = async (asked: Promise<unknown>): Promise<FencingFault> => {
  const error = await asked.then(
    () => undefined,
    (failure: unknown) => failure,
  )
  if (!(error instanceof FencingFault)) throw new Error('there is no fault', { cause: error })
  expect(error.message).not.toMatch(/^$|\.$|\n/)
  expect(error.remedy).not.toMatch(/^$|\.$|\n/)
  return error
}

export function fencingConforms(make: () => FencingUnderTest): void {
  test('tells the power state, and switches off once', async () => {
    const { fencing, at, isOn, switchOn } = make()
    await switchOn()
    expect(await fencing.power(at)).toBe('on')
    await fencing.switchOff(at)
    expect(await isOn()).toBe(false)
    expect(await fencing.power(at)).toBe('off')
    // A server that was killed meanwhile does it again.
    await fencing.switchOff(at)
    expect(await fencing.power(at)).toBe('off')
    await switchOn()
    expect(await fencing.power(at)).toBe('on')
  })

  test('servers that switch off at the same time do no harm', async () => {
    const { fencing, at, isOn, switchOn } = make()
    await switchOn()
    await Promise.all([fencing.switchOff(at), fencing.switchOff(at)])
    expect(await isOn()).toBe(false)
    await switchOn()
  })

  test('a switch that does not answer proves nothing', async () => {
    const { fencing, nowhere } = make()
    for (const ask of [fencing.power, fencing.switchOff]) {
      expect(await faultOf(ask(nowhere))).toBeInstanceOf(FencingFault)
    }
  })

  test('a switch that refuses the credentials switches nothing off, and tells no password', async () => {
    const { fencing, refused, isOn, switchOn } = make()
    if (!refused) return
    await switchOn()
    const faults = [
      await faultOf(fencing.power(refused)),
      await faultOf(fencing.switchOff(refused)),
    ]
    expect(await isOn()).toBe(true)
    for (const { message, remedy } of faults) {
      expect(message + remedy).not.toContain(refused.password)
    }
  })
}
