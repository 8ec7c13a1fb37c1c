/** The migrations of this engine, among those of the control plane, by the names of their files. */
import type { Migrations } from '@steading/control-plane/engine'
import { up as machines } from './2026-11-26-libvirt-machines.ts'
import { up as networks } from './2026-11-26-libvirt-networks.ts'
import { up as snapshotConsistency } from './2026-11-26-volumes-of-libvirt-consistency.ts'
import { up as volumes } from './2026-11-26-libvirt-volumes.ts'
import { up as converted } from './2026-11-26-libvirt-volumes-converted.ts'
import { up as waiting } from './2026-11-26-waiting-machines.ts'
import { up as watchedDomains } from './2026-11-26-watched-domains.ts'
import { up as firmware } from './2026-11-27-firmware.ts'
import { up as machineFirmware } from './2026-11-28-machine-firmware.ts'
import { up as frozenGuests } from './2026-12-09-guests-frozen.ts'
import { up as hostSlots } from './2026-12-09-guests-host-slots.ts'
import { up as hostsAdded } from './2026-12-16-libvirt-hosts-added.ts'
import { up as moves } from './2026-12-17-libvirt-moves.ts'
import { up as pools } from './2026-12-19-libvirt-pools.ts'
import { up as leases } from './2026-12-20-libvirt-leases.ts'
import { up as runningTransfers } from './2026-12-20-libvirt-transfers-running.ts'
import { up as nothingToBoot } from './2026-12-12-libvirt-nothing-to-boot.ts'

export const libvirtMigrations: Migrations = {
  '2026-11-26-libvirt-machines': machines,
  '2026-11-26-libvirt-networks': networks,
  '2026-11-26-libvirt-volumes': volumes,
  '2026-11-26-libvirt-volumes-converted': converted,
  '2026-11-26-volumes-of-libvirt-consistency': snapshotConsistency,
  '2026-11-26-waiting-machines': waiting,
  '2026-11-26-watched-domains': watchedDomains,
  '2026-11-27-firmware': firmware,
  '2026-11-28-machine-firmware': machineFirmware,
  '2026-12-09-guests-frozen': frozenGuests,
  '2026-12-09-guests-host-slots': hostSlots,
  '2026-12-12-libvirt-nothing-to-boot': nothingToBoot,
  '2026-12-16-libvirt-hosts-added': hostsAdded,
  '2026-12-17-libvirt-moves': moves,
  '2026-12-19-libvirt-pools': pools,
  '2026-12-20-libvirt-leases': leases,
  '2026-12-20-libvirt-transfers-running': runningTransfers,
}
