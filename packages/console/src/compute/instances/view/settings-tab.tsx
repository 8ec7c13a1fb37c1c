import { AutoRestartCard } from './auto-restart-card.tsx'
import { GroupsCard } from './groups-card.tsx'
import { InstanceTab } from './instance-tab.tsx'

export function InstanceSettingsTab() {
  return (
    <InstanceTab tab="Settings">
      <GroupsCard kind="anti_affinity_group" />
      <GroupsCard kind="affinity_group" />
      <AutoRestartCard />
    </InstanceTab>
  )
}
