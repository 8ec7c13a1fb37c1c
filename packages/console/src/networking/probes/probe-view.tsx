import { useNavigate, useParams } from '@tanstack/react-router'
import { Radio } from 'lucide-react'
import { Fragment } from 'react'
import { usePrefetchedQuery } from '../../data/api.ts'
import { useFleetViewer } from '../../data/session.ts'
import { ResourceButtons } from '../../page/resource-buttons.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { ReadOnlySideModal } from '../../ui/side-modal.tsx'
import { privateAddresses, SledLink } from './columns.tsx'
import { probeQuery } from './queries.ts'
import { Truncate } from '../../ui/text.tsx'

/** The panel "Probe details". */
export function ProbeView() {
  const navigate = useNavigate()
  const isOperator = useFleetViewer()
  const { project, probe: selector } = useParams({
    from: '/shell/projects-crumb/projects/$project/probes/probes/$probe',
  })
  const { data: probe } = usePrefetchedQuery(probeQuery(project, selector))
  const { Row, IdRow, CopyRow } = PropertiesTable
  return (
    <ReadOnlySideModal
      title="Probe details"
      star={<ResourceButtons kind="probe" thing={probe} />}
      subtitle={
        <>
          <Radio size={16} strokeWidth={1.5} aria-hidden />
          <Truncate text={probe.name} />
        </>
      }
      onDismiss={() => void navigate({ to: '/projects/$project/probes', params: { project } })}
    >
      <PropertiesTable>
        <IdRow id={probe.id} />
        {isOperator ? (
          <Row label="Sled">
            <SledLink id={probe.sled} />
          </Row>
        ) : (
          <IdRow id={probe.sled} label="Sled" />
        )}
        {probe.externalIps.map(({ ip }) => (
          <CopyRow key={ip} text={ip} label="External IP" />
        ))}
        {privateAddresses(probe).map(({ ip, subnet }) => (
          <Fragment key={ip}>
            <CopyRow text={ip} label="Private IP" />
            <CopyRow text={subnet} label="Subnet" />
          </Fragment>
        ))}
        <CopyRow text={probe.interface.mac} label="MAC address" />
        <Row label="VNI">{probe.interface.vni}</Row>
      </PropertiesTable>
    </ReadOnlySideModal>
  )
}
