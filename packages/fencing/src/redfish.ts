/** Management controllers by Redfish: `fence_redfish`, one of the fence agents. */
import type { PowerSwitch } from '@steading/control-plane/ports'
import { type PowerClient, ask, ASK_MS, faultOf, OFF_MS } from './client.ts'

/**
 * The settings for its standard input. Agents strip spaces and then a pair of quotes from each
 * value, so the quotes keep what is inside as it is. `ssl_insecure` counts whenever it is there.
 */
export function settings(
  action: 'status' | 'off',
  { address, port, user, password, system, verifyCertificate }: PowerSwitch,
): string {
  const values = {
    action,
    ip: address.includes(':') ? `[${address}]` : address,
    ...(port !== null && { ipport: String(port) }),
    username: user ?? '',
    password: password ?? '',
    ...(system !== null && { 'systems-uri': system }),
    ...(!verifyCertificate && { ssl_insecure: '1' }),
  }
  return Object.entries(values)
    .map(([name, value]) => `${name}="${value}"\n`)
    .join('')
}

const run = (action: 'status' | 'off', at: PowerSwitch, ms: number) =>
  ask('fence_redfish', 'fence-agents', [], { ms, input: settings(action, at) })

export const redfish: PowerClient = {
  async power(at) {
    const { output, complaint } = await run('status', at, ASK_MS)
    const state = /^Status: (ON|OFF)\s*$/m.exec(output)?.[1]
    if (state === undefined) throw faultOf(complaint ?? '', at)
    return state === 'OFF' ? 'off' : 'on'
  },
  async switchOff(at) {
    const { output, complaint } = await run('off', at, OFF_MS)
    if (complaint !== undefined) throw faultOf(complaint || output, at)
  },
}
