/** Neighbours that lldpd has heard. */
import type { LinkNeighbor } from '@steading/control-plane/ports'
import type { LldpInterface } from '../lldp.ts'

/** Milliseconds of an age, as `0 day, 00:00:04`. */
function ageOf(text: string | undefined): number {
  const found = /^(\d+) days?, (\d+):(\d+):(\d+)$/.exec(text ?? '')
  if (!found) return 0
  const [days, hours, minutes, seconds] = found.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
  ]
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000
}

/** @param now when it was read: what lldpd still has has not run out */
export function neighborOf({ age, chassis, port }: LldpInterface, now: Date): LinkNeighbor {
  const its = chassis?.[0]
  const [id] = port?.[0]?.id ?? []
  const description = port?.[0]?.descr?.[0]?.value ?? null
  return {
    chassisId: its?.id?.[0]?.value ?? '',
    // A name says more to people than the address of an interface.
    linkName: (id?.type === 'mac' ? description : undefined) ?? id?.value ?? '',
    linkDescription: description,
    systemName: its?.name?.[0]?.value ?? '',
    systemDescription: its?.descr?.[0]?.value ?? '',
    managementAddresses: (its?.['mgmt-ip'] ?? []).map(({ value }) => value),
    firstSeen: new Date(now.getTime() - ageOf(age)),
    lastSeen: now,
  }
}
