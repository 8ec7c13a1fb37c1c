import { useParams, useSearch } from '@tanstack/react-router'
import { Map } from 'lucide-react'
import { projectNetworkQuery } from '../topology/queries.ts'
import { Topology } from '../topology/topology.tsx'
import { DocsPopover, PageHeader } from '../../ui/page-header.tsx'
import { useAnswer } from '../reachability/queries.ts'
import { PathSummary } from './path-summary.tsx'

const route = '/shell/projects-crumb/projects/$project/network-map'

export function NetworkMapPage() {
  const { project } = useParams({ from: route })
  const { job: _job, history: _history, ...search } = useSearch({ from: route })
  const { answer } = useAnswer(project, search)
  return (
    <>
      <PageHeader title="Network Map" icon={<Map strokeWidth={1.5} aria-hidden />}>
        <DocsPopover
          topic="networks"
          summary="The VPCs of the project with their gateways, routers, subnets and instances. Point at an item to see its connections."
        />
      </PageHeader>
      <PathSummary project={project} search={search} answer={answer} />
      <Topology project={project} query={projectNetworkQuery(project)} answer={answer} />
    </>
  )
}
