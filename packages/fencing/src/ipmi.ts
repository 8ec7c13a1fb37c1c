/** Management controllers by IPMI 2.0: `ipmitool`. */
import type { PowerSwitch } from '@steading/control-plane/ports'
import { type PowerClient, ask, ASK_MS, faultOf } from './client.ts'
import { untilOff } from './until-off.ts'

/** Seconds between retransmissions, and their number. */
const RETRY_SECONDS = 2
const RETRIES = 3

async function run(
  { address, port, user, password }: PowerSwitch,
  action: 'status' | 'off',
): ReturnType<typeof ask> {
  const place = ['-I', 'lanplus', '-H', address, ...(port === null ? [] : ['-p', String(port)])]
  // -E takes the password from the environment.
  const as = ['-U', user ?? '', '-E', '-N', String(RETRY_SECONDS), '-R', String(RETRIES)]
  return ask('ipmitool', 'ipmitool', [...place, ...as, 'chassis', 'power', action], {
    ms: ASK_MS,
    secrets: { IPMI_PASSWORD: password ?? '' },
  })
}

const power: PowerClient['power'] = async (at) => {
  const { output, complaint } = await run(at, 'status')
  const state = /^Chassis Power is (on|off)\s*$/im.exec(output)?.[1]
  if (state === undefined) throw faultOf(complaint ?? output, at)
  return state.toLowerCase() === 'off' ? 'off' : 'on'
}

export const ipmi: PowerClient = {
  power,
  switchOff: (at) =>
    untilOff(power, at, async () => {
      const { complaint } = await run(at, 'off')
      if (complaint !== undefined) throw faultOf(complaint, at)
    }),
}
