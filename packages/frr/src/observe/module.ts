/** The measurements of a module in a port, from what `ethtool --module-info` writes. */
import type { PortMonitors } from '@steading/control-plane/ports'

/** The first number after one of some names. */
function measured(text: string, names: readonly RegExp[]): number | undefined {
  for (const line of text.split('\n')) {
    const [name, value] = [
      line.slice(0, line.indexOf(':')).trim(),
      line.slice(line.indexOf(':') + 1),
    ]
    if (!names.some((one) => one.test(name))) continue
    const number = Number.parseFloat(value)
    if (Number.isFinite(number)) return number
  }
  return undefined
}

/** Of a module with several lanes, the first one. Undefined if it measures less. */
export function monitorsIn(text: string): PortMonitors | undefined {
  const temperature = measured(text, [/^Module temperature$/])
  const transmitterPower = measured(text, [
    /^Laser output power$/,
    /^Transmit avg optical power \(Channel 1\)$/,
  ])
  const receiverPower = measured(text, [
    /^Receiver signal average optical power$/,
    /^Rcvr signal avg optical power ?\(Channel 1\)$/,
  ])
  return temperature === undefined || transmitterPower === undefined || receiverPower === undefined
    ? undefined
    : { temperature, receiverPower, transmitterPower }
}
