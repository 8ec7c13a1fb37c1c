import { AutoRestartCard } from './auto-restart-card.tsx'
import { InstanceTab } from './instance-tab.tsx'

export function SettingsTab() {
  return (
    <InstanceTab tab="Settings">
      <AutoRestartCard />
    </InstanceTab>
  )
}
