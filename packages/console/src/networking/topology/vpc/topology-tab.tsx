import { useSearch } from '@tanstack/react-router'
import { PathSummary } from '../../network-map/path-summary.tsx'
import { useAnswer } from '../../reachability/queries.ts'
import { vpcNetworkQuery } from '../queries.ts'
import { Topology } from '../topology.tsx'
import { useVpcParams, vpcTabs } from '../../vpcs/queries.ts'
import { TabPanel } from '../../../page/page-tabs.tsx'

export function TopologyTab() {
  const { project, vpc } = useVpcParams()
  const {
    job: _job,
    history: _history,
    ...search
  } = useSearch({
    from: '/shell/projects-crumb/projects/$project/vpcs-crumb/vpcs/$vpc/tabs/topology',
  })
  const { answer } = useAnswer(project, search)
  return (
    <TabPanel of={vpcTabs} tab="Topology">
      <PathSummary project={project} search={search} answer={answer} />
      <Topology project={project} query={vpcNetworkQuery(project, vpc)} answer={answer} />
    </TabPanel>
  )
}
