import { AntiAffinityCard } from './anti-affinity-card.tsx'
import { AutoRestartCard } from './auto-restart-card.tsx'
import { InstanceTab } from './instance-tab.tsx'

export function SettingsTab() {
  return (
    <InstanceTab tab="Settings">
      <AntiAffinityCard />
      <AutoRestartCard />
    </InstanceTab>
  )
}
