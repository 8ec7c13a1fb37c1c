/** Hosts with a power switch each: a management controller, by which the cloud switches them off. */
import { spawnSync } from 'node:child_process'
import type { Wire } from '@steading/api'
import { expect, onTestFinished } from 'vitest'
import { until } from '../../../control-plane/test/support/things.ts'
import { startRedfish } from '../../../fencing/test/support/redfish-service.ts'
import {
  hostsMissing,
  type NamespaceHost,
} from '../../../libvirt/test/support/hosts-in-namespaces.ts'
import type { openCloud } from './cloud-of-hosts.ts'

/** Why hosts cannot have power switches here; undefined if they can. */
export const powerSwitchesMissing = (): string | undefined => {
  const missing = hostsMissing()
  if (missing !== undefined) return missing
  return spawnSync('fence_redfish', ['--version']).error && 'fence_redfish is not installed'
}

export interface PoweredHost extends NamespaceHost {
  id: string
  sledId: string
  isOn: () => boolean
  /** Switches it off, as a power cut. */
  off: () => Promise<void>
  /** Switches it on, and connects its network. */
  on: () => Promise<void>
}

const credentials = { user: 'operator', password: 'not shown' }

type Cloud = Awaited<ReturnType<typeof openCloud>>

/** Starts a management controller for a host, and tells the cloud. */
export async function addController(
  call: Cloud['call'],
  hostId: string,
  power: { isOn: () => boolean; off: () => Promise<void> },
): Promise<void> {
  const controller = await startRedfish(power, credentials)
  onTestFinished(() => controller.close())
  const place = `/x/v1/system/hosts/${hostId}/fencing`
  await call('PUT', place, {
    method: 'redfish',
    automatic: true,
    address: 'localhost',
    port: controller.port,
    verify_certificate: false,
    ...credentials,
  })
  await until(
    () => call<Wire.HostFencing>('GET', place),
    ({ last_check }) => expect(last_check).toMatchObject({ power: 'on' }),
  )
}

/** Gives each host of a cloud a controller, which its operator has told the cloud. */
export const withPowerSwitches = ({ hosts, added, call }: Cloud): Promise<PoweredHost[]> =>
  Promise.all(
    hosts.map(async (host, index): Promise<PoweredHost> => {
      const { id, sled_id } = added[index]!
      let isOn = true
      // The fault of a test and the cloud may use the switch at the same time.
      let last = Promise.resolve()
      const inTurn = (work: () => Promise<void>) => (last = last.then(work))
      const off = () =>
        inTurn(async () => {
          isOn = false
          await host.kill()
        })
      const on = () =>
        inTurn(async () => {
          host.link(true)
          if (isOn) return
          await host.boot()
          isOn = true
        })
      await addController(call, id, { isOn: () => isOn, off })
      return { ...host, id, sledId: sled_id!, isOn: () => isOn, off, on }
    }),
  )
