/**
 * Simulated power switches of the hosts that operators can add. The management controller of host
 * `sim-7` is `sim-7-bmc`, whichever method is chosen; its name says what it does: those of hosts that
 * begin with `sim-stuck` report that they are on whatever is asked, and the password `wrong` is
 * refused everywhere. All other names are out of reach.
 */
import { hostName } from '@steading/api/rules'
import {
  type Fencing,
  type HardwareSimulation,
  type PowerSwitch,
  FencingFault,
} from '@steading/control-plane/ports'
import type { Db } from '@steading/control-plane/engine'
import type { SimulatedOptions } from './options.ts'

/** Milliseconds; also where machines take no time. */
const PACE_MIN_MS = 10
const CONTROLLER = /^(sim-[a-z0-9-]+)-bmc$/

/** @throws FencingFault */
async function sledOf(db: Db, { method, address, password }: PowerSwitch) {
  const name = method === 'hypervisor' ? hostName(address) : address
  const serial = CONTROLLER.exec(name)?.[1]?.toUpperCase()
  const sled =
    serial === undefined
      ? undefined
      : await db
          .selectFrom('simulated_sled')
          .select(['serial', 'down'])
          .where('serial', '=', serial)
          .executeTakeFirst()
  if (!sled) {
    throw new FencingFault(
      `no simulated management controller is called ${name}`,
      'Enter the name of a simulated host with -bmc, such as sim-7-bmc',
    )
  }
  if (password === 'wrong') {
    throw new FencingFault('the password was refused', 'Enter another password')
  }
  return sled
}

export const createSimulatedPowerSwitches = (
  db: Db,
  { setPower }: Pick<HardwareSimulation, 'setPower'>,
  { rebootMs }: Pick<SimulatedOptions, 'rebootMs'>,
): Fencing => ({
  paceMs: Math.max(PACE_MIN_MS, rebootMs),
  power: async (at) => ((await sledOf(db, at)).down === 1 ? 'off' : 'on'),
  async switchOff(at) {
    const { serial, down } = await sledOf(db, at)
    if (down === 0 && !serial.startsWith('SIM-STUCK')) await setPower(serial, false)
  },
})
