import type { SledHost } from '@steading/api/client'
import { Banner } from '../../ui/banner.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { Size, Truncate } from '../../ui/text.tsx'
import { DateTime } from '../../ui/time.tsx'

const OrphanedDomains = ({ orphanedDomains }: Pick<SledHost, 'orphanedDomains'>) => (
  <Banner variant="notice" title="Domains that belong to no instance">
    They are never removed by themselves. If nobody needs them, remove them on the host.
    <ul className="mt-2 flex flex-col gap-3">
      {orphanedDomains.map(({ uuid, name, timeFound, commands }) => (
        <li key={uuid} className="min-w-0">
          <span className="break-all">{name}</span>, found <DateTime date={timeFound} />
          {commands.map((command) => (
            <span key={command} className="flex min-w-0 items-center gap-1">
              <code className="min-w-0 break-all font-mono text-xs">{command}</code>
              <CopyButton text={command} />
            </span>
          ))}
        </li>
      ))}
    </ul>
  </Banner>
)

/** The software and the storage of a sled that is a host of libvirt. */
export default function HostCard({ host }: { host: SledHost }) {
  return (
    <section aria-label="Host" className="flex flex-col gap-4 px-(--gutter) pb-6">
      {host.acceleratorProblem !== null && (
        <Banner variant="notice" title="Guests are emulated, and many times slower than with KVM">
          {host.acceleratorProblem}.
        </Banner>
      )}
      {host.uefiProblem !== null && (
        <Banner variant="notice" title="Disks that boot by UEFI only do not boot">
          {host.uefiProblem}.
        </Banner>
      )}
      {host.orphanedDomains.length > 0 && (
        <OrphanedDomains orphanedDomains={host.orphanedDomains} />
      )}
      <PropertiesTable columns={2}>
        <PropertiesTable.Row label="libvirt">{host.libvirtVersion}</PropertiesTable.Row>
        <PropertiesTable.Row label="QEMU">{host.qemuVersion}</PropertiesTable.Row>
        <PropertiesTable.Row label="Accelerator">
          {host.accelerator === 'kvm' ? 'KVM' : 'None (emulated)'}
        </PropertiesTable.Row>
        <PropertiesTable.Row label="Firmware">
          {host.uefiProblem === null ? 'BIOS, UEFI' : 'BIOS'}
        </PropertiesTable.Row>
        <PropertiesTable.Row label="Architecture">{host.architecture}</PropertiesTable.Row>
        <PropertiesTable.Row label="Processor">
          <Truncate text={host.cpuModel} />
        </PropertiesTable.Row>
        <PropertiesTable.CopyRow label="Connection" text={host.uri} />
        <PropertiesTable.CopyRow label="Volumes" text={host.storagePath} />
        <PropertiesTable.Row label="Room on its disk">
          <span>
            <Size bytes={host.storageFree} /> of <Size bytes={host.storageSize} />
          </span>
        </PropertiesTable.Row>
        <PropertiesTable.DateRow label="Reported" date={host.timeReported} />
      </PropertiesTable>
    </section>
  )
}
